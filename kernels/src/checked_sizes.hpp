// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/dense_shape.hpp>

namespace headroom::kernels {

/// What the allocator rounds a request up to a multiple of.
inline constexpr bytes allocator_block{512};

/// Sums and products of sizes that remember whether one did not fit 64 bits.
class checked_sizes {
 public:
  bytes times(bytes each, std::int64_t count) {
    bytes product;
    fits_ = checked_multiply(each.n, count, product.n) && fits_;
    return product;
  }
  bytes plus(bytes a, bytes b) {
    bytes sum;
    fits_ = checked_add(a.n, b.n, sum.n) && fits_;
    return sum;
  }
  bytes block(bytes size) {
    static_cast<void>(plus(size, allocator_block));
    return fits_ ? round_up(size, allocator_block) : bytes{};
  }
  bytes block(const shape& dims, dtype type) { return block(storage_of(dims, type)); }
  /// Weight, bias and adapter of a layer.
  bytes layer_blocks(const dense_shape& dims) {
    bytes all = plus(block(dims.weight(), dims.type), block(dims.bias(), dims.type));
    if (!dims.adapted()) return all;
    all = plus(all, block(dims.down(), dims.type));
    return plus(all, block(dims.up(), dims.type));
  }
  [[nodiscard]] bool fits() const { return fits_; }

 private:
  bool fits_ = true;
};

}  // namespace headroom::kernels
