// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cblas.h>

#include <algorithm>
#include <cstddef>
#include <headroom_kernels/bfloat16.hpp>
#include <vector>

#include "blas_backend.hpp"

namespace headroom::kernels {
namespace {

CBLAS_TRANSPOSE blas_name(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

// A product is cut into blocks of this size in each direction; three of them fit a second-level
// cache or the third, and are scratch of the host, unknown to the device's allocator.
constexpr int block = 512;

/// Part of a matrix in float32, stored without gaps.
class float_block {
 public:
  /// Converts rows x columns elements. @param leading  elements between rows of `from`
  const float* load(const bfloat16* from, int rows, int columns, int leading) {
    reserve(rows, columns);
    for (int row = 0; row < rows; ++row) {
      const bfloat16* source = from + static_cast<std::ptrdiff_t>(row) * leading;
      float* target = values_.data() + static_cast<std::ptrdiff_t>(row) * columns;
      for (int i = 0; i < columns; ++i) target[i] = widen(source[i]);
    }
    return values_.data();
  }
  float* reserve(int rows, int columns) {
    const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    if (values_.size() < size) values_.resize(size);
    return values_.data();
  }

 private:
  std::vector<float> values_;
};

/// c = sums + beta c
template <class T>
void store(const float* sums, int rows, int columns, float beta, T* c, int leading) {
  for (int row = 0; row < rows; ++row) {
    const float* source = sums + static_cast<std::ptrdiff_t>(row) * columns;
    T* target = c + static_cast<std::ptrdiff_t>(row) * leading;
    for (int i = 0; i < columns; ++i) {
      target[i] = narrow<T>(beta == 0.0F ? source[i] : source[i] + beta * widen(target[i]));
    }
  }
}

class host_backend : public matrix_backend {
 public:
  host_backend() {
#ifdef HEADROOM_HAS_OPENBLAS_THREADS
    openblas_set_num_threads(1);
#endif
  }

  void multiply(const product& p) override {
    if (p.type == dtype::float32) {
      cblas_sgemm(CblasRowMajor, blas_name(p.transpose_a), blas_name(p.transpose_b), p.m, p.n, p.k,
                  p.alpha, static_cast<const float*>(p.a), p.leading_a,
                  static_cast<const float*>(p.b), p.leading_b, p.beta, static_cast<float*>(p.c),
                  p.leading_c);
      return;
    }
    for (int row = 0; row < p.m; row += block) {
      for (int column = 0; column < p.n; column += block) multiply_block(p, row, column);
    }
  }

 private:
  /// The block of c at (row, column), summed over k in float32 and rounded once.
  void multiply_block(const product& p, int row, int column) {
    const int rows = std::min(block, p.m - row);
    const int columns = std::min(block, p.n - column);
    float* sums = sums_.reserve(rows, columns);
    for (int first = 0; first < p.k; first += block) {
      const int depth = std::min(block, p.k - first);
      const float* a = load(a_, p.a, p.leading_a, p.transpose_a, row, rows, first, depth);
      const float* b = load(b_, p.b, p.leading_b, p.transpose_b, first, depth, column, columns);
      cblas_sgemm(CblasRowMajor, blas_name(p.transpose_a), blas_name(p.transpose_b), rows, columns,
                  depth, p.alpha, a, p.transpose_a ? rows : depth, b,
                  p.transpose_b ? depth : columns, first == 0 ? 0.0F : 1.0F, sums, columns);
    }
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * p.leading_c + column;
    if (p.type_c == dtype::float32) {
      store(sums, rows, columns, p.beta, static_cast<float*>(p.c) + at, p.leading_c);
    } else {
      store(sums, rows, columns, p.beta, static_cast<bfloat16*>(p.c) + at, p.leading_c);
    }
  }

  /// Rows x columns of op(m) from (row, column) on, in the order in which they are stored.
  static const float* load(float_block& into, const void* m, int leading, bool transposed, int row,
                           int rows, int column, int columns) {
    if (transposed) {
      std::swap(row, column);
      std::swap(rows, columns);
    }
    return into.load(
        static_cast<const bfloat16*>(m) + static_cast<std::ptrdiff_t>(row) * leading + column, rows,
        columns, leading);
  }

  float_block a_, b_, sums_;
};

}  // namespace

std::string host_blas_name() {
#ifdef HEADROOM_HAS_OPENBLAS_THREADS
  return openblas_get_config();
#else
  return "a CBLAS without a version";
#endif
}

std::unique_ptr<matrix_backend> make_host_backend() { return std::make_unique<host_backend>(); }

}  // namespace headroom::kernels
