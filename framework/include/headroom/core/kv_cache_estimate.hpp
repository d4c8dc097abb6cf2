// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// How a decoder keeps keys and values of the tokens behind it.
enum class kv_cache_strategy : unsigned char {
  growing,         ///< a tensor for each layer and sequence, made anew with each step
  fixed,           ///< "static": memory for the whole capacity from the start
  sliding_window,  ///< the last tokens alone, in a ring
  quantized,       ///< growing, in int8 with scales apart
  offloaded,       ///< in host memory; the device holds one layer at a time
  paged            ///< blocks of a pool that the sequences share
};
/// "growing", "static", "sliding_window", "quantized", "offloaded", "paged"
[[nodiscard]] std::string_view name_of(kv_cache_strategy strategy);
[[nodiscard]] std::optional<kv_cache_strategy> kv_cache_strategy_from_name(std::string_view name);

/// Sequences of equal length.
struct kv_sequences {
  std::int64_t count = 1;
  std::int64_t tokens = 0;  ///< prompt and decoded ones
};

/// What a cache is to hold. Numbers that the strategy does not ask for are not looked at.
struct kv_cache_request {
  kv_cache_strategy strategy = kv_cache_strategy::growing;
  std::int64_t layers = 0;
  std::int64_t kv_heads = 0;  ///< heads of keys and values; those of queries do not count
  std::int64_t head_dim = 0;
  std::int64_t element_bytes = 2;       ///< of one number; a quantized cache stores one byte
  std::vector<kv_sequences> sequences;  ///< groups of them
  std::int64_t capacity = 0;            ///< fixed: tokens of each sequence
  std::int64_t window = 0;              ///< sliding_window: tokens of each sequence
  std::int64_t block_tokens = 16;       ///< paged
  std::int64_t blocks = 0;              ///< paged: of the pool; 0 for as many as the sequences need
  std::int64_t shared_prefix = 0;       ///< paged: tokens that all sequences begin with, below the
                                        ///< length of each: its whole blocks are there once
};

/// One part of a cache: bytes before the allocator's rounding.
struct kv_cache_term {
  std::string name;     ///< "keys and values", "... of the shared prefix", "scales", "block table"
  std::string formula;  ///< "2 x layers 32 x tokens 8192 x KV heads 8 x head dimension 128 x 2 B"
  bytes size;
  bool on_host = false;
};

struct kv_cache_estimate {
  std::vector<kv_cache_term> terms;
  bytes device;  ///< sum of the terms that are on the device
  bytes host;    ///< sum of the others
  /// What a cache that grows holds for a moment beside that: a sequence's keys, or values, of one
  /// layer as they were a token before. Of the longest sequence; 0 B where nothing is made anew.
  bytes growth_copy;
};

/// What a cache takes when its sequences have reached their length, exactly: computed, without a
/// device.
/// @throws usage_error that names the number, when one is below 1 or does not fit the strategy
/// (tokens above the static capacity, sequences that need more blocks than there are or end with
/// the shared prefix), or the term that does not fit 64 bits
[[nodiscard]] kv_cache_estimate estimate_kv_cache(const kv_cache_request& of);

/// Blocks of a pool that the sequences need. @throws usage_error as estimate_kv_cache
[[nodiscard]] std::int64_t blocks_needed(const kv_cache_request& of);

}  // namespace headroom
