// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../answer.hpp"

using namespace headroom::emulation::others;

namespace {

constexpr int wrong = 1;  // CUPTI_ERROR_INVALID_PARAMETER
constexpr int not_supported = 27;

const char* text_of(int result) {
  if (result == 0) return "CUPTI_SUCCESS";
  return result == not_supported ? "CUPTI_ERROR_NOT_SUPPORTED" : "CUPTI_ERROR_UNKNOWN";
}

}  // namespace

extern "C" {
int cuptiGetVersion(unsigned* version) {
  return put(call::cuptiGetVersion_, version, HEADROOM_ABI_MAJOR == 12 ? 26U : 130001U, wrong);
}
int cuptiGetResultString(int result, const char** text) {
  return put(call::cuptiGetResultString_, text, text_of(result), wrong);
}
}
