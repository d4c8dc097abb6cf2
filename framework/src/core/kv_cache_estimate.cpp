// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <headroom/core/error.hpp>
#include <headroom/core/kv_cache_estimate.hpp>
#include <initializer_list>
#include <utility>

namespace headroom {
namespace {

using strategy = kv_cache_strategy;

constexpr std::int64_t scale_bytes = 4;  // float32, one for each token and KV head
constexpr std::int64_t block_number_bytes = 4;

constexpr std::array<std::pair<strategy, std::string_view>, 6> names{{
    {strategy::growing, "growing"},
    {strategy::fixed, "static"},
    {strategy::sliding_window, "sliding_window"},
    {strategy::quantized, "quantized"},
    {strategy::offloaded, "offloaded"},
    {strategy::paged, "paged"},
}};

struct factor {
  std::string_view name;
  std::int64_t value;
};

void require_positive(std::string_view name, std::int64_t value) {
  if (value < 1) {
    throw usage_error(fmt::format("the cache has {} = {}; give 1 or more", name, value));
  }
}

/// @throws usage_error that names the term
std::int64_t sum_of(std::string_view term, std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (checked_add(a, b, sum)) return sum;
  throw usage_error(fmt::format(
      "the term \"{}\" of the cache, {} + {}, does not fit 64 bits; give fewer sequences or tokens",
      term, a, b));
}

/// Bytes of elements of `each` bytes. @throws usage_error that names the term
kv_cache_term term_of(std::string_view name, std::initializer_list<factor> factors,
                      std::int64_t each) {
  kv_cache_term term;
  term.name = name;
  std::int64_t size = each;
  bool fits = true;
  for (const factor& of : factors) {
    fits = checked_multiply(size, of.value, size) && fits;
    if (of.name.empty()) {
      term.formula += fmt::format("{} x ", of.value);
    } else {
      term.formula += fmt::format("{} {} x ", of.name, of.value);
    }
  }
  term.formula += fmt::format("{} B", each);
  term.size = bytes{size};
  if (fits) return term;
  throw usage_error(
      fmt::format("the term \"{}\" of the cache, {}, does not fit 64 bits; make one of its numbers "
                  "smaller",
                  name, term.formula));
}

/// Sum over all sequences of what `of` makes of a length.
template <class Of>
std::int64_t over_sequences(const kv_cache_request& request, std::string_view what, Of of) {
  std::int64_t all = 0;
  for (const kv_sequences& each : request.sequences) {
    std::int64_t product = 0;
    if (!checked_multiply(each.count, of(each.tokens), product)) {
      throw usage_error(fmt::format(
          "the {} of {} sequences of {} tokens do not fit 64 bits; give fewer sequences or tokens",
          what, each.count, each.tokens));
    }
    all = sum_of(what, all, product);
  }
  return all;
}

std::int64_t longest(const kv_cache_request& of) {
  std::int64_t most = 0;
  for (const kv_sequences& each : of.sequences) most = std::max(most, each.tokens);
  return most;
}

std::int64_t shortest(const kv_cache_request& of) {
  std::int64_t least = of.sequences.front().tokens;
  for (const kv_sequences& each : of.sequences) least = std::min(least, each.tokens);
  return least;
}

std::int64_t blocks_of(std::int64_t tokens, std::int64_t block) { return (tokens - 1) / block + 1; }

/// Blocks that the shared prefix fills: nothing is ever written to them again. A block that it
/// fills in part becomes each sequence's own with the first token behind the prefix.
std::int64_t shared_blocks(const kv_cache_request& of) {
  return of.shared_prefix / of.block_tokens;
}

void check(const kv_cache_request& of) {
  require_positive("layers", of.layers);
  require_positive("KV heads", of.kv_heads);
  require_positive("head dimension", of.head_dim);
  require_positive("bytes of an element", of.element_bytes);
  require_positive("groups of sequences", static_cast<std::int64_t>(of.sequences.size()));
  for (const kv_sequences& each : of.sequences) {
    require_positive("sequences", each.count);
    require_positive("tokens", each.tokens);
  }
  if (of.strategy == strategy::sliding_window) require_positive("window", of.window);
  if (of.strategy == strategy::paged) {
    require_positive("tokens of a block", of.block_tokens);
    if (of.shared_prefix < 0 || of.shared_prefix >= shortest(of)) {
      throw usage_error(
          fmt::format("a shared prefix of {} tokens and a sequence of {}; give a prefix that each "
                      "sequence goes "
                      "on behind, or 0 for none",
                      of.shared_prefix, shortest(of)));
    }
  }
  if (of.strategy == strategy::fixed) {
    require_positive("capacity", of.capacity);
    if (longest(of) > of.capacity) {
      throw usage_error(fmt::format(
          "a sequence of {} tokens does not fit the static capacity of {}; give a capacity of {} "
          "or fewer tokens",
          longest(of), of.capacity, longest(of)));
    }
  }
}

/// Tokens, over all sequences, that each layer has memory for.
std::int64_t held_tokens(const kv_cache_request& of) {
  return over_sequences(of, "tokens", [&](std::int64_t tokens) {
    if (of.strategy == strategy::fixed) return of.capacity;
    if (of.strategy == strategy::sliding_window) return std::min(tokens, of.window);
    return tokens;
  });
}

std::vector<kv_cache_term> paged_terms(const kv_cache_request& of) {
  const std::int64_t needed = blocks_needed(of);
  const std::int64_t blocks = of.blocks == 0 ? needed : of.blocks;
  if (blocks < needed) {
    throw usage_error(
        fmt::format("the sequences need {} blocks of {} tokens and the pool has {}; give {} blocks "
                    "or fewer sequences",
                    needed, of.block_tokens, blocks, needed));
  }
  const std::int64_t sequences = over_sequences(of, "table", [](std::int64_t) { return 1; });
  const auto numbers = [&](std::string_view name, std::string_view which, std::int64_t count) {
    return term_of(name,
                   {{"", 2},
                    {"layers", of.layers},
                    {which, count},
                    {"tokens of a block", of.block_tokens},
                    {"KV heads", of.kv_heads},
                    {"head dimension", of.head_dim}},
                   of.element_bytes);
  };
  std::vector<kv_cache_term> terms;
  const std::int64_t shared = shared_blocks(of);
  if (shared > 0) {
    terms.push_back(numbers("keys and values of the shared prefix", "shared blocks", shared));
  }
  terms.push_back(
      numbers("keys and values", shared > 0 ? "own blocks" : "blocks", blocks - shared));
  terms.push_back(term_of("block table",
                          {{"sequences", sequences},
                           {"blocks of the longest", blocks_of(longest(of), of.block_tokens)}},
                          block_number_bytes));
  return terms;
}

std::vector<kv_cache_term> terms_of(const kv_cache_request& of) {
  if (of.strategy == strategy::paged) return paged_terms(of);
  const std::int64_t tokens = held_tokens(of);
  const auto numbers = [&](std::int64_t layers, std::int64_t each) {
    return term_of("keys and values",
                   {{"", 2},
                    {"layers", layers},
                    {"tokens", tokens},
                    {"KV heads", of.kv_heads},
                    {"head dimension", of.head_dim}},
                   each);
  };
  if (of.strategy == strategy::offloaded) {
    kv_cache_term device = numbers(1, of.element_bytes);
    kv_cache_term host = numbers(of.layers, of.element_bytes);
    device.name = "keys and values of the layer that runs";
    host.on_host = true;
    return {device, host};
  }
  if (of.strategy == strategy::quantized) {
    return {numbers(of.layers, 1),
            term_of("scales",
                    {{"", 2}, {"layers", of.layers}, {"tokens", tokens}, {"KV heads", of.kv_heads}},
                    scale_bytes)};
  }
  return {numbers(of.layers, of.element_bytes)};
}

}  // namespace

std::string_view name_of(kv_cache_strategy which) {
  for (const auto& [each, name] : names) {
    if (each == which) return name;
  }
  return "";
}

std::optional<kv_cache_strategy> kv_cache_strategy_from_name(std::string_view name) {
  for (const auto& [each, its_name] : names) {
    if (its_name == name) return each;
  }
  return std::nullopt;
}

std::int64_t blocks_needed(const kv_cache_request& of) {
  check(of);
  const std::int64_t shared = shared_blocks(of);
  return sum_of("blocks", shared, over_sequences(of, "blocks", [&](std::int64_t tokens) {
                  return blocks_of(tokens, of.block_tokens) - shared;
                }));
}

kv_cache_estimate estimate_kv_cache(const kv_cache_request& of) {
  check(of);
  kv_cache_estimate made;
  made.terms = terms_of(of);
  for (const kv_cache_term& each : made.terms) {
    bytes& sum = each.on_host ? made.host : made.device;
    sum = bytes{sum_of(each.name, sum.n, each.size.n)};
  }
  if (of.strategy == strategy::growing || of.strategy == strategy::quantized) {
    // No larger than the term of all layers, which fits.
    const std::int64_t each = of.strategy == strategy::quantized ? 1 : of.element_bytes;
    made.growth_copy = bytes{(longest(of) - 1) * of.kv_heads * of.head_dim * each};
  }
  return made;
}

}  // namespace headroom
