// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/blas.hpp>
#include <memory>

namespace headroom::kernels {

/// c = alpha op(a) op(b) + beta c, checked: the sizes fit together and fit the libraries' integers.
struct product {
  int m, n, k;  ///< op(a) [m, k], op(b) [k, n], c [m, n], all row-major
  float alpha;
  bool transpose_a;
  bool transpose_b;
  float beta;
  const void* a;
  const void* b;
  void* c;
  int leading_a;  ///< elements from one stored row to the next
  int leading_b;
  int leading_c;
  dtype type;    ///< of a and b
  dtype type_c;  ///< type, or float32
};

class matrix_backend {
 public:
  virtual ~matrix_backend() = default;
  virtual void multiply(const product& p) = 0;
};

/// Runs in the calling thread, and sets the CBLAS to one thread where it can be set: the order of
/// additions then does not depend on the machine's load.
[[nodiscard]] std::unique_ptr<matrix_backend> make_host_backend();

/// @param native_stream  a cudaStream_t
/// @param workspace      device memory, all that the library may use
/// @throws device_error, without the CUDA backend too
[[nodiscard]] std::unique_ptr<matrix_backend> make_cuda_backend(void* native_stream,
                                                                void* workspace,
                                                                bytes workspace_size);

}  // namespace headroom::kernels
