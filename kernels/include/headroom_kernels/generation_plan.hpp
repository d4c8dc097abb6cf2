// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/weight_estimate.hpp>
#include <headroom_kernels/decoder_network.hpp>
#include <vector>

namespace headroom::kernels {

/// One generation, as it runs.
struct generation_shape {
  decoder_shape model;
  std::vector<std::int64_t> prompts;  ///< tokens of each sequence's prompt
  std::int64_t decode = 0;            ///< tokens that each sequence decodes behind it
  kv_cache_settings cache;
  decoder_run how;
  weight_loading loading;
  bytes workspace;  ///< of the matrix library
};

/// What a generation holds, from its sizes alone; each tensor rounded up as the allocator
/// does.
struct generation_sizes {
  bytes weights;
  bytes staging;            ///< the largest copy beside a weight while it is loaded; 0 B without
  bytes inputs;             ///< prompts and chosen tokens
  kv_cache_estimate cache;  ///< when it is full, before rounding
  bytes activations;        ///< the most at a time, in prefill or decode
  bytes attention;          ///< working memory of attention and of what the cache puts together
  bytes unpacked;           ///< the largest packed weight, written out for a product
  bytes workspace;          ///< of the matrix library
};
/// The weights as estimate_quantized_weights takes them; not for plain storage.
[[nodiscard]] quantized_weights_request weights_request(const decoder_shape& of,
                                                        const weight_storage& storage);

/// Holds where the allocator hands out blocks without a rest too small to split off (DESIGN 5).
/// @throws usage_error when a size is not valid or does not fit 64 bits
[[nodiscard]] generation_sizes size_generation(const generation_shape& of);

}  // namespace headroom::kernels
