// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../answer.hpp"

using namespace headroom::emulation::others;

namespace {

constexpr int wrong = 3;  // NVRTC_ERROR_INVALID_INPUT
constexpr const char* names[] = {"NVRTC_SUCCESS",
                                 "NVRTC_ERROR_OUT_OF_MEMORY",
                                 "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                 "NVRTC_ERROR_INVALID_INPUT",
                                 "NVRTC_ERROR_INVALID_PROGRAM",
                                 "NVRTC_ERROR_INVALID_OPTION",
                                 "NVRTC_ERROR_COMPILATION",
                                 "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                 "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                 "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                 "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                 "NVRTC_ERROR_INTERNAL_ERROR: the emulated card compiles nothing"};

}  // namespace

extern "C" {
int nvrtcVersion(int* major, int* minor) {
  if (minor == nullptr) return wrong;
  *minor = HEADROOM_ABI_MAJOR == 12 ? 9 : 0;
  return put(call::nvrtcVersion_, major, HEADROOM_ABI_MAJOR, wrong);
}
const char* nvrtcGetErrorString(int result) {
  count(call::nvrtcGetErrorString_);
  return name_of(names, result);
}
}
