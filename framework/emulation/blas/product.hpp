// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../card/address_space.hpp"

namespace headroom::emulation::blas {

enum class element { float32, bfloat16 };
[[nodiscard]] constexpr std::int64_t size_of(element type) {
  return type == element::float32 ? 4 : 2;
}

/// A batch of stored matrices, column-major.
struct matrix {
  address at = 0;
  element type = element::float32;
  std::int64_t rows = 0, columns = 0;
  std::int64_t leading = 0;  ///< elements from column to column
  std::int64_t stride = 0;   ///< elements from one matrix of the batch to the next
};

/// c = alpha op(a) op(b) + beta c for each of the batch. op(a) is [m, k], op(b) [k, n], c [m, n].
/// c is not read where beta is 0, nor a and b where alpha is 0.
struct product {
  matrix a, b, c;
  bool transpose_a = false;
  bool transpose_b = false;
  std::int64_t k = 0;
  std::int64_t count = 1;
  float alpha = 1;
  float beta = 0;
};

/// Computes it in the calling thread. Sums are kept in float32 and rounded once.
void multiply(const product& what);

}  // namespace headroom::emulation::blas
