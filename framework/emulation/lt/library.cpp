// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../abi/lt_calls.hpp"
#include "../blas/answer.hpp"
#include "../blas/words.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::blas;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return create(call::cublasLtCreate_, handle);
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return answer_about(call::cublasLtDestroy_, handle, [](session&, const blas_handle& of) {
    destroy_blas_handle(of);
    return CUBLAS_STATUS_SUCCESS;
  });
}

const char* cublasLtGetStatusName(cublasStatus_t status) {
  count(call::cublasLtGetStatusName_);
  return name_of(status);
}
const char* cublasLtGetStatusString(cublasStatus_t status) {
  count(call::cublasLtGetStatusString_);
  return text_of(status);
}
std::size_t cublasLtGetVersion() {
  count(call::cublasLtGetVersion_);
  return version;
}
std::size_t cublasLtGetCudartVersion() {
  count(call::cublasLtGetCudartVersion_);
  return runtime_version;
}
cublasStatus_t cublasLtGetProperty(libraryPropertyType_t type, int* value) {
  count(call::cublasLtGetProperty_);
  return property(type, value);
}
