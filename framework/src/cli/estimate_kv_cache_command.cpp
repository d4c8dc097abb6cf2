// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <headroom/core/error.hpp>

#include "estimate_options.hpp"
#include "option_values.hpp"

namespace headroom::cli {
namespace {

const std::array<std::string, 6> strategies{"growing",   "static",    "sliding_window",
                                            "quantized", "offloaded", "paged"};

class estimate_kv_cache_command final : public command {
 public:
  [[nodiscard]] command_words words() const override {
    return {
        .name = "estimate kv-cache",
        .purpose = "the KV cache of generation by formula",
        .arguments = "",
        .details =
            "The bytes of a KV cache, K and V together, by the way it is kept. KV heads count, not "
            "query heads. growing: a tensor a layer and sequence, made anew with each token; "
            "static: room for --static-tokens from the start; sliding_window: the last --window "
            "tokens; quantized: int8 with scales; offloaded: on the host, one layer at a time "
            "on the device; paged: blocks of a pool that the sequences share; with "
            "--shared-prefix the blocks that are full of tokens which all sequences begin with are "
            "there once.",
        .exits = estimate_exits,
        .example =
            "headroom estimate kv-cache --layers 32 --kv-heads 8 --head-dim 128 \\\n"
            "  --tokens 8192 --bytes 2 --sequences 4"};
  }

  void declare(CLI::App& options) override {
    const auto add = [&](sized& each) {
      options.add_option(each.name, each.text, each.what)->type_name("N");
    };
    for (sized& each : sizes_) add(each);
    options.add_option("--sequences", sequences_, "sequences at one time (default 1)")
        ->type_name("N");
    options
        .add_option("--strategy", strategy_,
                    "growing (default), static, sliding_window, quantized, offloaded, paged")
        ->type_name("NAME");
    for (sized& each : others_) add(each);
    common_.declare(options);
  }

  exit_code run(const console& io) override {
    for (const sized& each : sizes_) {
      if (!each.text) {
        throw usage_error(std::string("estimate kv-cache: ") + each.name + " is missing; it is " +
                          each.what);
      }
    }
    const auto value = [&](std::size_t i) {
      return whole_number(sizes_[i].name, *sizes_[i].text, 1);
    };
    kv_cache_request request;
    request.layers = value(0);
    request.kv_heads = value(1);
    request.head_dim = value(2);
    request.element_bytes = value(4);
    request.sequences = {{sequences_ ? whole_number("--sequences", *sequences_, 1) : 1, value(3)}};
    read_strategy(request);
    return common_.print("kv_cache", "KV cache by formula", estimate_of_kv_cache(request), io);
  }

 private:
  /// A number that only some strategies ask for is refused by the others.
  void read_strategy(kv_cache_request& request) const {
    const std::string name = strategy_.value_or(others_[0].text ? "sliding_window" : "growing");
    request.strategy = *kv_cache_strategy_from_name(one_of("--strategy", name, strategies));
    const std::array<std::int64_t*, 5> into{&request.window, &request.capacity,
                                            &request.block_tokens, &request.blocks,
                                            &request.shared_prefix};
    for (std::size_t i = 0; i < others_.size(); ++i) {
      const sized& each = others_[i];
      if (!each.text) continue;
      if (name != each.strategy) {
        throw usage_error(
            fmt::format("{}: is for --strategy {}, not for {}", each.name, each.strategy, name));
      }
      *into[i] = whole_number(each.name, *each.text, 1);
    }
    const auto require = [&](std::size_t i) {
      if (name == others_[i].strategy && !others_[i].text) {
        throw usage_error(
            fmt::format("estimate kv-cache: {} is missing: {}", others_[i].name, others_[i].what));
      }
    };
    require(0);
    require(1);
  }

  struct sized {
    const char* name;
    const char* what;
    std::string_view strategy = {};  // that asks for it; "" for all
    std::optional<std::string> text = {};
  };
  std::array<sized, 5> sizes_{{{"--layers", "layers that keep a cache"},
                               {"--kv-heads", "key/value heads of a layer"},
                               {"--head-dim", "numbers of one head"},
                               {"--tokens", "tokens of one sequence, prompt and answer together"},
                               {"--bytes", "bytes of one number: 2 for bfloat16, 1 for int8"}}};
  std::optional<std::string> sequences_;
  std::optional<std::string> strategy_;
  std::array<sized, 5> others_{
      {{"--window", "sliding_window: tokens that a layer keeps", "sliding_window"},
       {"--static-tokens", "static: tokens that each sequence has room for", "static"},
       {"--block-tokens", "paged: tokens of a block (default 16)", "paged"},
       {"--blocks", "paged: blocks of the pool (default: what the sequences need)", "paged"},
       {"--shared-prefix", "paged: tokens that all sequences begin with", "paged"}}};
  estimate_options common_;
};

}  // namespace

std::unique_ptr<command> make_estimate_kv_cache(const program& /*of*/) {
  return std::make_unique<estimate_kv_cache_command>();
}

}  // namespace headroom::cli
