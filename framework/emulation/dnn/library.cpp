// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../others/answer.hpp"

using namespace headroom::emulation::others;

namespace {

constexpr int bad_parameter = 2000;  // CUDNN_STATUS_BAD_PARAM

const char* text_of(int status) {
  if (status == 0) return "CUDNN_STATUS_SUCCESS";
  switch (status / 1000) {
    case 1:
      return "CUDNN_STATUS_NOT_INITIALIZED";
    case 2:
      return "CUDNN_STATUS_BAD_PARAM";
    case 3:
      return "CUDNN_STATUS_NOT_SUPPORTED";
    case 4:
      return "CUDNN_STATUS_INTERNAL_ERROR";
    case 5:
      return "CUDNN_STATUS_EXECUTION_FAILED";
    default:
      return "unknown";
  }
}

}  // namespace

extern "C" {
std::size_t cudnnGetVersion() {
  count(call::cudnnGetVersion_);
  return 92600;
}
std::size_t cudnnGetCudartVersion() {
  count(call::cudnnGetCudartVersion_);
  return 13000;
}
int cudnnGetProperty(int part, int* value) {
  return property(call::cudnnGetProperty_, part, value, {9, 26, 0}, bad_parameter);
}
const char* cudnnGetErrorString(int status) {
  count(call::cudnnGetErrorString_);
  return text_of(status);
}
void cudnnGetLastErrorString(char* text, std::size_t size) {
  count(call::cudnnGetLastErrorString_);
  if (text != nullptr && size > 0) *text = 0;
}
}
