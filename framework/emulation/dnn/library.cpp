// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "answer.hpp"

using namespace headroom::emulation::dnn;

std::size_t cudnnGetVersion() {
  count(call::cudnnGetVersion_);
  return 92600;
}
std::size_t cudnnGetCudartVersion() {
  count(call::cudnnGetCudartVersion_);
  return 13000;
}
cudnnStatus_t cudnnGetProperty(int part, int* value) {
  count(call::cudnnGetProperty_);
  constexpr int version[] = {9, 26, 0};
  if (value == nullptr || part < 0 || part > 2) return CUDNN_STATUS_BAD_PARAM;
  *value = version[part];
  return CUDNN_STATUS_SUCCESS;
}
const char* cudnnGetErrorString(cudnnStatus_t status) {
  count(call::cudnnGetErrorString_);
  if (status == CUDNN_STATUS_SUCCESS) return "CUDNN_STATUS_SUCCESS";
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
void cudnnGetLastErrorString(char* text, std::size_t size) {
  count(call::cudnnGetLastErrorString_);
  if (text != nullptr && size > 0) *text = 0;
}
