// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>

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
  [[nodiscard]] bool fits() const { return fits_; }

 private:
  bool fits_ = true;
};

}  // namespace headroom::kernels
