// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../abi/blas_calls.hpp"
#include "answer.hpp"
#include "words.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::blas;

namespace {

constexpr std::uintptr_t workspace_alignment = 256;

/// @param member  what the handle keeps of it
template <class Value>
cublasStatus_t get(call which, const void* handle, Value* into, int blas_handle::*member) {
  return answer_about(which, handle, [&](session&, const blas_handle& of) {
    if (into == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *into = static_cast<Value>(of.*member);
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t set(call which, const void* handle, int value, bool allowed,
                   int blas_handle::*member) {
  return answer_about(which, handle, [&](session&, blas_handle& of) {
    if (!allowed) return CUBLAS_STATUS_INVALID_VALUE;
    of.*member = value;
    return CUBLAS_STATUS_SUCCESS;
  });
}

bool between(int value, int least, int most) { return least <= value && value <= most; }

}  // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  return create(call::cublasCreate_v2_, handle);
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  return answer_about(call::cublasDestroy_v2_, handle, [](session& now, blas_handle& of) {
    wait_for_device(now.all, now.lock, *of.on);
    destroy_blas_handle(of);
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* value) {
  count(call::cublasGetVersion_v2_);
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *value = version;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType_t type, int* value) {
  count(call::cublasGetProperty_);
  return property(type, value);
}
std::size_t cublasGetCudartVersion() {
  count(call::cublasGetCudartVersion_);
  return runtime_version;
}
const char* cublasGetStatusName(cublasStatus_t status) {
  count(call::cublasGetStatusName_);
  return name_of(status);
}
const char* cublasGetStatusString(cublasStatus_t status) {
  count(call::cublasGetStatusString_);
  return text_of(status);
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t wanted) {
  return answer_about(call::cublasSetStream_v2_, handle, [&](session& now, blas_handle& of) {
    const stream* const on = stream_of(now.all, now.me, *of.on, wanted);
    if (on == nullptr || on->on != of.on) return CUBLAS_STATUS_INVALID_VALUE;
    of.stream = wanted;
    of.workspace = 0;
    of.workspace_size = 0;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* into) {
  return answer_about(call::cublasGetStream_v2_, handle, [&](session&, const blas_handle& of) {
    if (into == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *into = static_cast<cudaStream_t>(of.stream);
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, std::size_t size) {
  return answer_about(call::cublasSetWorkspace_v2_, handle, [&](session& now, blas_handle& of) {
    const auto at = reinterpret_cast<address>(workspace);
    if (at % workspace_alignment != 0) return CUBLAS_STATUS_INVALID_VALUE;
    if (size > 0 && !now.all.blocks.look_at(at, size).whole) return CUBLAS_STATUS_INVALID_VALUE;
    of.workspace = at;
    of.workspace_size = size;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return set(call::cublasSetPointerMode_v2_, handle, mode, between(mode, 0, 1),
             &blas_handle::pointer_mode);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(call::cublasGetPointerMode_v2_, handle, mode, &blas_handle::pointer_mode);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set(call::cublasSetAtomicsMode_, handle, mode, between(mode, 0, 1),
             &blas_handle::atomics_mode);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(call::cublasGetAtomicsMode_, handle, mode, &blas_handle::atomics_mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set(call::cublasSetMathMode_, handle, mode,
             between(mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION, 0, 8),
             &blas_handle::math_mode);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get(call::cublasGetMathMode_, handle, mode, &blas_handle::math_mode);
}
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return set(call::cublasSetSmCountTarget_, handle, count, count >= 0,
             &blas_handle::processors_target);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return get(call::cublasGetSmCountTarget_, handle, count, &blas_handle::processors_target);
}
