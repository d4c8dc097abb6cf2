// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <string>

#include "decoder_description.hpp"
#include "dense_description.hpp"

namespace headroom::kernels {
namespace {

using strategy = kv_cache_strategy;

/// "512, 77, 300"
std::vector<std::int64_t> read_lengths(const std::string& text) {
  std::vector<std::int64_t> made;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::int64_t length = 0;
    const auto [behind, problem] = std::from_chars(at, end, length);
    if (problem != std::errc() || length < 1) break;
    made.push_back(length);
    at = behind;
    if (at == end) return made;
    if (*at++ != ',') break;
    while (at != end && *at == ' ') ++at;
  }
  throw usage_error(
      fmt::format("lengths is {}; write a number of tokens for each sequence, for "
                  "example \"512, 77, 300\"",
                  quoted_text(text)));
}

std::vector<std::int64_t> read_prompts(const workload_description& of) {
  const std::int64_t sequences = read_decoder_size(of, "sequences");
  const std::int64_t prompt = read_decoder_size(of, "prompt");
  const auto text = of.find_option("lengths");
  constexpr std::int64_t most_sequences = 1 << 20;
  if (sequences > most_sequences) {
    throw usage_error(fmt::format("the workload \"decoder\" has sequences = {}; give {} or fewer",
                                  sequences, most_sequences));
  }
  if (!text) return std::vector<std::int64_t>(static_cast<std::size_t>(sequences), prompt);
  std::vector<std::int64_t> made = read_lengths(*text);
  const std::int64_t longest = *std::max_element(made.begin(), made.end());
  if (std::ssize(made) != sequences || longest != prompt) {
    throw usage_error(fmt::format(
        "lengths has {} prompts, the longest of {} tokens, beside {} sequences and prompt = {}; "
        "give as many, the longest as long as prompt",
        made.size(), longest, sequences, prompt));
  }
  return made;
}

kv_cache_settings read_cache(const workload_description& of, const decoder_shape& model) {
  kv_cache_settings cache;
  const std::string name = of.find_option("cache").value_or("growing");
  const auto which = kv_cache_strategy_from_name(name);
  if (!which) {
    throw usage_error(fmt::format(
        "cache is {}; write \"growing\", \"static\", \"sliding_window\", \"quantized\", "
        "\"offloaded\" or \"paged\"",
        quoted_text(name)));
  }
  cache.strategy = *which;
  cache.layers = model.layers;
  cache.kv_heads = model.kv_heads;
  cache.head_dim = model.head_dim;
  cache.type = model.type;
  const auto only_for = [&](std::string_view size, strategy its) {
    if (!of.requested.find(size) || cache.strategy == its) return;
    throw usage_error(
        fmt::format("the dimension {} belongs to the cache \"{}\", not to \"{}\"; "
                    "leave it out, or choose that cache",
                    size, name_of(its), name));
  };
  only_for("capacity", strategy::fixed);
  only_for("block_tokens", strategy::paged);
  only_for("blocks", strategy::paged);
  only_for("shared_prefix", strategy::paged);
  cache.window = of.requested.find("window").value_or(0);
  cache.block_tokens = of.requested.find("block_tokens").value_or(cache.block_tokens);
  cache.blocks = of.requested.find("blocks").value_or(0);
  cache.shared_prefix = of.requested.find("shared_prefix").value_or(0);
  if (cache.strategy == strategy::sliding_window && cache.window == 0) {
    throw usage_error(
        "the cache \"sliding_window\" has no window; give the dimension window, 1 or "
        "more tokens");
  }
  return cache;
}

/// Each prompt has a token of its own behind the shared prefix: what it decodes depends on it.
void check_shared_prefix(const generation_shape& dims) {
  const std::int64_t shortest = *std::min_element(dims.prompts.begin(), dims.prompts.end());
  if (dims.cache.shared_prefix < shortest) return;
  throw usage_error(fmt::format(
      "the prompts share {} tokens and one of them has {}; give a shared_prefix of {} or fewer, or "
      "leave it out",
      dims.cache.shared_prefix, shortest, shortest - 1));
}

/// Fits the prompts to a static capacity, or refuses them.
void apply_capacity(const workload_description& of, generation_shape& dims, dimensions& executed) {
  const bool truncate = read_choice(of, "over_capacity", {"refuse", "truncate"}) == "truncate";
  const std::int64_t longest = *std::max_element(dims.prompts.begin(), dims.prompts.end());
  const std::int64_t capacity = of.requested.find("capacity").value_or(longest + dims.decode);
  dims.cache.capacity = capacity;
  const std::int64_t room = capacity - dims.decode;
  if (longest <= room) return;
  if (!truncate || room < 1) {
    throw usage_error(fmt::format(
        "a prompt of {} tokens and {} decoded ones do not fit the static capacity of {}; give a "
        "capacity of {}{}",
        longest, dims.decode, capacity, longest + dims.decode,
        room < 1 ? ", or decode fewer tokens than it"
                 : ", or write \"over_capacity\": \"truncate\", which is recorded"));
  }
  for (std::int64_t& each : dims.prompts) each = std::min(each, room);
  executed.set("prompt", room);
}

}  // namespace

generation_shape read_generation(const workload_description& of, dimensions& executed) {
  check_generation_names(of);
  executed = of.requested;
  generation_shape dims;
  dims.model = read_decoder_shape(of);
  dims.prompts = read_prompts(of);
  dims.decode = read_decoder_size(of, "decode");
  dims.cache = read_cache(of, dims.model);
  dims.how.window = dims.cache.window;
  dims.how.form = attention_form_from_name(of.find_option("attention").value_or("tiled"));
  dims.loading.staging = read_staging(of);
  dims.loading.storage.format =
      weight_format_from_name(of.find_option("weights").value_or("plain"));
  dims.loading.storage.group = of.requested.find("group").value_or(dims.loading.storage.group);
  dims.workspace = read_workspace(of);
  for (const std::int64_t each : dims.prompts) {
    std::int64_t length = 0;
    if (!checked_add(each, dims.decode, length)) {
      throw usage_error(fmt::format("prompt {} + decode {} does not fit 64 bits; make one smaller",
                                    each, dims.decode));
    }
  }
  if (dims.cache.strategy == strategy::fixed) apply_capacity(of, dims, executed);
  check_shared_prefix(dims);
  for (const std::int64_t each : dims.prompts) dims.cache.lengths.push_back(each + dims.decode);
  // Sizes that cannot be had are refused here, before anything is allocated.
  static_cast<void>(size_generation(dims));
  return dims;
}

}  // namespace headroom::kernels
