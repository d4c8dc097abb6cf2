// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/device.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Heads of consecutive tokens: row r holds `heads` x `head_dim` numbers, and what else there is.
struct head_rows {
  void* address = nullptr;  ///< of the first head of the first token
  std::int64_t rows = 0;
  std::int64_t leading = 0;  ///< elements from one token to the next
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  dtype type = dtype::float32;
};

/// Which way the pairs are turned.
enum class rotation : bool { forward, backward };

/// Queues the rotary position embedding, in place: in each head the pair (i, i + head_dim / 2) is
/// turned by the angle position x base^(-2 i / head_dim), row r being at first_position + r.
/// rotation::backward turns a gradient back.
/// @throws usage_error when head_dim is odd
void rotary(device& on, stream_id stream, const head_rows& x, std::int64_t first_position,
            float base, rotation way = rotation::forward);

}  // namespace headroom::kernels
