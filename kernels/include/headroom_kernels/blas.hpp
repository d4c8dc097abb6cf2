// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/buffer.hpp>
#include <headroom_kernels/tensor.hpp>
#include <memory>

namespace headroom::kernels {

/// A matrix in device memory that somebody else owns: `rows` x `columns` as stored, row after row.
struct matrix_view {
  void* address = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t leading = 0;  ///< elements from one row to the next, at least `columns`
  dtype type = dtype::float32;
  bool transposed = false;  ///< the product takes it as `columns` x `rows`
};

/// A tensor as a matrix: all axes but the last make up its rows.
[[nodiscard]] matrix_view matrix_of(const tensor_view& from);
[[nodiscard]] matrix_view transpose(matrix_view m);

/// The matrix library of the cpu device, as it names itself: "OpenBLAS 0.3.21 ...".
[[nodiscard]] std::string host_blas_name();

class matrix_backend;

/// Matrix products on one stream of one device: cuBLAS on cuda, a CBLAS in one thread on the cpu,
/// nothing where the device does not compute. On the cpu, equal inputs give equal bits.
///
/// Its workspace is allocated through the device's allocator under the tag `workspace` at the first
/// product, on every kind of device, so that it is planned and counted alike; the cpu does not
/// touch it. Give it back by ending the library.
class matrix_library {
 public:
  static constexpr bytes default_workspace{std::int64_t{8} << 20};

  /// @param on  must outlive the library
  /// @throws usage_error when the workspace is below 1 B: the vendor's library would then take
  /// memory of its own, which no counter sees
  matrix_library(device& on, stream_id stream, bytes workspace = default_workspace);
  ~matrix_library();
  matrix_library(const matrix_library&) = delete;
  matrix_library& operator=(const matrix_library&) = delete;

  /// Queues c = alpha a b + beta c; where beta is 0, c is not read.
  /// @param a  [m, k]  float32 or bfloat16, perhaps transposed
  /// @param b  [k, n]  of a's type, perhaps transposed
  /// @param c  [m, n]  of a's type or float32, not transposed, apart from a and b. Sums are kept in
  ///                   float32 and rounded once.
  /// @throws usage_error when sizes or types do not fit together; nothing is queued then
  /// @throws out_of_memory for the workspace; device_error
  void multiply(float alpha, const matrix_view& a, const matrix_view& b, float beta,
                const matrix_view& c);
  /// c = a b
  void multiply(const matrix_view& a, const matrix_view& b, const matrix_view& c) {
    multiply(1.0F, a, b, 0.0F, c);
  }

  [[nodiscard]] bytes workspace() const { return workspace_size_; }

 private:
  void start();

  device& device_;
  stream_id stream_;
  bytes workspace_size_;
  buffer workspace_;
  std::unique_ptr<matrix_backend> backend_;  // goes before the workspace that it uses
  bool started_ = false;
};

}  // namespace headroom::kernels
