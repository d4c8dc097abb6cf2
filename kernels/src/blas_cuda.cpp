// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <source_location>

#include "blas_backend.hpp"
#include "cublas_library.hpp"

namespace headroom::kernels {
namespace {

const cublas_library& cublas() { return cublas_library::loaded(); }

void check_cublas(cublasStatus_t status, const char* expression,
                  std::source_location place = std::source_location::current()) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw device_error(fmt::format("cuBLAS: {} ({}) in {} at {}:{}", cublas().status_name(status),
                                 cublas().status_text(status), expression, place.file_name(),
                                 place.line()));
}

cublasOperation_t cublas_name(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }
cudaDataType_t cuda_name(dtype type) { return type == dtype::float32 ? CUDA_R_32F : CUDA_R_16BF; }

class cuda_backend : public matrix_backend {
 public:
  cuda_backend(void* native_stream, void* workspace, bytes workspace_size) {
    check_cublas(cublas().create(&handle_), "cublasCreate");
    try {
      // The stream comes first: setting it puts the library's own workspace back.
      check_cublas(cublas().set_stream(handle_, static_cast<cudaStream_t>(native_stream)),
                   "cublasSetStream");
      check_cublas(
          cublas().set_workspace(handle_, workspace, static_cast<std::size_t>(workspace_size.n)),
          "cublasSetWorkspace");
      // float32 stays float32, and bfloat16 products are summed in float32 to the end.
      check_cublas(
          cublas().set_math_mode(
              handle_, static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH |
                                                 CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)),
          "cublasSetMathMode");
    } catch (...) {
      cublas().destroy(handle_);
      throw;
    }
  }
  ~cuda_backend() override { cublas().destroy(handle_); }
  cuda_backend(const cuda_backend&) = delete;
  cuda_backend& operator=(const cuda_backend&) = delete;

  // Row-major c = op(a) op(b) is column-major c' = op(b)' op(a)' over the same memory.
  void multiply(const product& p) override {
    if (p.type == dtype::float32) {
      check_cublas(cublas().sgemm(handle_, cublas_name(p.transpose_b), cublas_name(p.transpose_a),
                                  p.n, p.m, p.k, &p.alpha, static_cast<const float*>(p.b),
                                  p.leading_b, static_cast<const float*>(p.a), p.leading_a, &p.beta,
                                  static_cast<float*>(p.c), p.leading_c),
                   "cublasSgemm");
      return;
    }
    check_cublas(cublas().gemm_ex(handle_, cublas_name(p.transpose_b), cublas_name(p.transpose_a),
                                  p.n, p.m, p.k, &p.alpha, p.b, cuda_name(p.type), p.leading_b, p.a,
                                  cuda_name(p.type), p.leading_a, &p.beta, p.c, cuda_name(p.type_c),
                                  p.leading_c, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                 "cublasGemmEx");
  }

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace

std::unique_ptr<matrix_backend> make_cuda_backend(void* native_stream, void* workspace,
                                                  bytes workspace_size) {
  return std::make_unique<cuda_backend>(native_stream, workspace, workspace_size);
}

}  // namespace headroom::kernels
