// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/kv_cache_estimate.hpp>
#include <headroom_kernels/tensor.hpp>
#include <vector>

namespace headroom::kernels {

struct kv_cache_settings {
  kv_cache_strategy strategy = kv_cache_strategy::growing;
  std::int64_t layers = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  dtype type = dtype::float32;        ///< of keys and values as they come and go
  std::vector<std::int64_t> lengths;  ///< the most tokens that each sequence will have
  std::int64_t capacity = 0;          ///< fixed: tokens of each sequence
  std::int64_t window = 0;            ///< sliding_window: tokens of each sequence
  std::int64_t block_tokens = 16;     ///< paged
  std::int64_t blocks = 0;            ///< paged: of the pool; 0 for as many as the lengths need
  std::int64_t shared_prefix = 0;     ///< paged: tokens that all sequences begin with and share()

  [[nodiscard]] std::int64_t width() const { return kv_heads * head_dim; }
  /// The same as estimate_kv_cache takes it.
  [[nodiscard]] kv_cache_request request() const;
};

}  // namespace headroom::kernels
