// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../others/answer.hpp"

using namespace headroom::emulation::others;

namespace {

constexpr int version = 23007;
constexpr int wrong = 4;  // ncclInvalidArgument
constexpr const char* texts[] = {"no error",
                                 "unhandled cuda error",
                                 "unhandled system error",
                                 "internal error",
                                 "invalid argument",
                                 "invalid usage",
                                 "remote process exited or there was a network error",
                                 "operation in progress",
                                 "timeout"};

}  // namespace

extern "C" {
int ncclGetVersion(int* into) { return put(call::ncclGetVersion_, into, version, wrong); }
const char* ncclGetErrorString(int result) {
  count(call::ncclGetErrorString_);
  return name_of(texts, result);
}
const char* ncclGetLastError(void*) {
  count(call::ncclGetLastError_);
  return "";
}
}
