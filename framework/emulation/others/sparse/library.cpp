// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../answer.hpp"

using namespace headroom::emulation::others;

namespace {

constexpr int wrong = 3;  // CUSPARSE_STATUS_INVALID_VALUE
constexpr const char* names[] = {"CUSPARSE_STATUS_SUCCESS",
                                 "CUSPARSE_STATUS_NOT_INITIALIZED",
                                 "CUSPARSE_STATUS_ALLOC_FAILED",
                                 "CUSPARSE_STATUS_INVALID_VALUE",
                                 "CUSPARSE_STATUS_ARCH_MISMATCH",
                                 "CUSPARSE_STATUS_MAPPING_ERROR",
                                 "CUSPARSE_STATUS_EXECUTION_FAILED",
                                 "CUSPARSE_STATUS_INTERNAL_ERROR",
                                 "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                 "CUSPARSE_STATUS_ZERO_PIVOT",
                                 "CUSPARSE_STATUS_NOT_SUPPORTED",
                                 "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};

}  // namespace

extern "C" {
int cusparseGetVersion(void*, int* version) {
  return put(call::cusparseGetVersion_, version, 12603, wrong);
}
int cusparseGetProperty(int part, int* value) {
  return property(call::cusparseGetProperty_, part, value, {12, 6, 3}, wrong);
}
const char* cusparseGetErrorName(int status) {
  count(call::cusparseGetErrorName_);
  return name_of(names, status);
}
const char* cusparseGetErrorString(int status) {
  count(call::cusparseGetErrorString_);
  return status == 10 ? "not supported by the emulated card" : name_of(names, status);
}
}
