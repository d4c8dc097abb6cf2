// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Calls whose results are in device memory alone, and which are not computed: queued as kernels
// that are left out. Arguments behind the handle are not looked at. Calls that may answer in host
// memory (dot, nrm2, amax) are not among them: they are refused.
#include "answer.hpp"

namespace {

using namespace headroom::emulation;
using namespace headroom::emulation::blas;

cublasStatus_t leave_out(call which, const void* handle) {
  return answer_about(which, handle, [](session& now, const blas_handle& of) {
    return enqueue_on(now, of, of.stream, left_out);
  });
}

}  // namespace

#define HEADROOM_LEFT_OUT(name)                       \
  extern "C" cublasStatus_t name(const void* handle); \
  cublasStatus_t name(const void* handle) { return leave_out(call::name##_, handle); }

HEADROOM_LEFT_OUT(cublasDgemm_v2)
HEADROOM_LEFT_OUT(cublasDgemmStridedBatched)
HEADROOM_LEFT_OUT(cublasCgemm_v2)
HEADROOM_LEFT_OUT(cublasCgemmStridedBatched)
HEADROOM_LEFT_OUT(cublasZgemm_v2)
HEADROOM_LEFT_OUT(cublasZgemmStridedBatched)
HEADROOM_LEFT_OUT(cublasSgemmEx)
HEADROOM_LEFT_OUT(cublasGemmBatchedEx)
HEADROOM_LEFT_OUT(cublasSgemmBatched)
HEADROOM_LEFT_OUT(cublasSgemv_v2)
HEADROOM_LEFT_OUT(cublasStrsm_v2)
HEADROOM_LEFT_OUT(cublasStrsmBatched)
HEADROOM_LEFT_OUT(cublasStrmm_v2)
HEADROOM_LEFT_OUT(cublasSgeam)
HEADROOM_LEFT_OUT(cublasSaxpy_v2)
HEADROOM_LEFT_OUT(cublasSscal_v2)
HEADROOM_LEFT_OUT(cublasScopy_v2)
HEADROOM_LEFT_OUT(cublasSgetrfBatched)
HEADROOM_LEFT_OUT(cublasDgemmBatched)
HEADROOM_LEFT_OUT(cublasDgemv_v2)
HEADROOM_LEFT_OUT(cublasDtrsm_v2)
HEADROOM_LEFT_OUT(cublasDtrsmBatched)
HEADROOM_LEFT_OUT(cublasDtrmm_v2)
HEADROOM_LEFT_OUT(cublasDgeam)
HEADROOM_LEFT_OUT(cublasDaxpy_v2)
HEADROOM_LEFT_OUT(cublasDscal_v2)
HEADROOM_LEFT_OUT(cublasDcopy_v2)
HEADROOM_LEFT_OUT(cublasDgetrfBatched)
HEADROOM_LEFT_OUT(cublasCgemmBatched)
HEADROOM_LEFT_OUT(cublasCgemv_v2)
HEADROOM_LEFT_OUT(cublasCtrsm_v2)
HEADROOM_LEFT_OUT(cublasCtrsmBatched)
HEADROOM_LEFT_OUT(cublasCtrmm_v2)
HEADROOM_LEFT_OUT(cublasCgeam)
HEADROOM_LEFT_OUT(cublasCaxpy_v2)
HEADROOM_LEFT_OUT(cublasCscal_v2)
HEADROOM_LEFT_OUT(cublasCcopy_v2)
HEADROOM_LEFT_OUT(cublasCgetrfBatched)
HEADROOM_LEFT_OUT(cublasZgemmBatched)
HEADROOM_LEFT_OUT(cublasZgemv_v2)
HEADROOM_LEFT_OUT(cublasZtrsm_v2)
HEADROOM_LEFT_OUT(cublasZtrsmBatched)
HEADROOM_LEFT_OUT(cublasZtrmm_v2)
HEADROOM_LEFT_OUT(cublasZgeam)
HEADROOM_LEFT_OUT(cublasZaxpy_v2)
HEADROOM_LEFT_OUT(cublasZscal_v2)
HEADROOM_LEFT_OUT(cublasZcopy_v2)
HEADROOM_LEFT_OUT(cublasZgetrfBatched)
