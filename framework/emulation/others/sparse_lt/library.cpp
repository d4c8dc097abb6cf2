// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../answer.hpp"

using namespace headroom::emulation::others;

namespace {
constexpr int wrong = 3;  // CUSPARSE_STATUS_INVALID_VALUE
}

extern "C" {
int cusparseLtGetVersion(const void*, int* version) {
  return put(call::cusparseLtGetVersion_, version, 801, wrong);
}
int cusparseLtGetProperty(int part, int* value) {
  return property(call::cusparseLtGetProperty_, part, value, {0, 8, 1}, wrong);
}
const char* cusparseLtGetErrorName(int status) {
  count(call::cusparseLtGetErrorName_);
  return status == 0 ? "CUSPARSE_STATUS_SUCCESS" : "CUSPARSE_STATUS_NOT_SUPPORTED";
}
const char* cusparseLtGetErrorString(int status) {
  count(call::cusparseLtGetErrorString_);
  return status == 0 ? "success" : "not supported by the emulated card";
}
}
