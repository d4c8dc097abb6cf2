// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/attributes.hpp"
#include "answer.hpp"

namespace headroom::emulation::nvml {
int starts = 0;
}

using namespace headroom::emulation;
using namespace headroom::emulation::nvml;

namespace {

// The first driver for CUDA 13.0 that was published; the word tells it apart from one.
constexpr const char* driver_text = "580.65.06 emulated";
constexpr const char* library_text = "13.580.65.06 emulated";

nvmlReturn_t start(call which) {
  return answer_always(which, [](card&) {
    ++starts;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t cuda_version(call which, int* version) {
  return answer_always(which, [&](card&) { return put(version, driver_version); });
}

}  // namespace

nvmlReturn_t nvmlInit() { return start(call::nvmlInit_); }
nvmlReturn_t nvmlInit_v2() { return start(call::nvmlInit_v2_); }
nvmlReturn_t nvmlInitWithFlags(unsigned) { return start(call::nvmlInitWithFlags_); }

nvmlReturn_t nvmlShutdown() {
  return answer(call::nvmlShutdown_, [](card&) {
    --starts;
    return NVML_SUCCESS;
  });
}

const char* nvmlErrorString(nvmlReturn_t result) {
  count(call::nvmlErrorString_);
  switch (result) {
    case NVML_SUCCESS:
      return "success";
    case NVML_ERROR_UNINITIALIZED:
      return "NVML was not started";
    case NVML_ERROR_INVALID_ARGUMENT:
      return "an argument is not valid";
    case NVML_ERROR_NOT_SUPPORTED:
      return "not supported by the emulated card";
    case NVML_ERROR_NOT_FOUND:
      return "not found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
      return "the buffer is too small";
    case NVML_ERROR_ARGUMENT_VERSION_MISMATCH:
      return "the structure has a version that is not known";
    case NVML_ERROR_UNKNOWN:
      break;
  }
  return "unknown error";
}

nvmlReturn_t nvmlSystemGetDriverVersion(char* text, unsigned length) {
  return answer(call::nvmlSystemGetDriverVersion_,
                [&](card&) { return put_text(driver_text, text, length); });
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char* text, unsigned length) {
  return answer_always(call::nvmlSystemGetNVMLVersion_,
                       [&](card&) { return put_text(library_text, text, length); });
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
  return cuda_version(call::nvmlSystemGetCudaDriverVersion_, version);
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) {
  return cuda_version(call::nvmlSystemGetCudaDriverVersion_v2_, version);
}
