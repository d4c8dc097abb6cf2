// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../blas/answer.hpp"
#include "descriptors.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::blas;

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int asked,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int* given) {
  return answer_about(
      call::cublasLtMatmulAlgoGetHeuristic_, handle, [&](session&, const blas_handle&) {
        const bool whole = description != nullptr && a != nullptr && b != nullptr && c != nullptr &&
                           d != nullptr && preference != nullptr && results != nullptr &&
                           given != nullptr;
        if (!whole || asked <= 0) return CUBLAS_STATUS_INVALID_VALUE;
        results[0] = {};
        results[0].workspaceSize =
            preference->get(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{0});
        results[0].wavesCount = 1;
        *given = 1;
        return CUBLAS_STATUS_SUCCESS;
      });
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                              const void* alpha, const void* a, cublasLtMatrixLayout_t layout_a,
                              const void* b, cublasLtMatrixLayout_t layout_b, const void* beta,
                              const void*, cublasLtMatrixLayout_t layout_c, void* d,
                              cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t*,
                              void* workspace, std::size_t workspace_size, cudaStream_t stream) {
  return answer_about(call::cublasLtMatmul_, handle, [&](session& now, const blas_handle& of) {
    const bool whole = description != nullptr && alpha != nullptr && beta != nullptr &&
                       a != nullptr && b != nullptr && d != nullptr && layout_a != nullptr &&
                       layout_b != nullptr && layout_c != nullptr && layout_d != nullptr;
    if (!whole || (workspace == nullptr && workspace_size > 0)) return CUBLAS_STATUS_INVALID_VALUE;
    return enqueue_on(now, of, stream, left_out);
  });
}
