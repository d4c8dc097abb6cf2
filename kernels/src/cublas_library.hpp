// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cublas_v2.h>

namespace headroom::kernels {

/// cublasGemmEx, which has an older overload besides.
using gemm_ex_call = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,
                                    int n, int k, const void* alpha, const void* a,
                                    cudaDataType type_a, int leading_a, const void* b,
                                    cudaDataType type_b, int leading_b, const void* beta, void* c,
                                    cudaDataType type_c, int leading_c, cublasComputeType_t,
                                    cublasGemmAlgo_t);
static_assert(sizeof(static_cast<gemm_ex_call*>(&cublasGemmEx)) == sizeof(void*));

/// The calls of cuBLAS that are made. The library is loaded when the first device needs it: it
/// takes more memory and time to load than all the rest of a program that only plans.
struct cublas_library {
  decltype(&cublasCreate) create = nullptr;
  decltype(&cublasDestroy) destroy = nullptr;
  decltype(&cublasSetStream) set_stream = nullptr;
  decltype(&cublasSetWorkspace) set_workspace = nullptr;
  decltype(&cublasSetMathMode) set_math_mode = nullptr;
  decltype(&cublasSgemm) sgemm = nullptr;
  gemm_ex_call* gemm_ex = nullptr;
  decltype(&cublasGetStatusName) status_name = nullptr;
  decltype(&cublasGetStatusString) status_text = nullptr;

  /// The library of the toolkit's major version; stays loaded.
  /// @throws device_error that says where it was looked for
  [[nodiscard]] static const cublas_library& loaded();
  /// @param file    as the loader takes it: a name or a path
  /// @param folder  where else to look
  /// @throws device_error, as above, or when a call is not in it
  [[nodiscard]] static cublas_library load(const char* file, const char* folder);
};

}  // namespace headroom::kernels
