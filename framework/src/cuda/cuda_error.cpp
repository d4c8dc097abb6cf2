// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cstdio>
#include <headroom/core/error.hpp>
#include <headroom/cuda/cuda_error.hpp>

namespace headroom::cuda {

namespace {

/// What to change, where the error alone does not say it.
std::string advice_on(cudaError_t result) {
  if (result != cudaErrorNoKernelImageForDevice) return "";
  int device = 0;
  int major = 0;
  int minor = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
    (void)cudaGetLastError();
    return "; this build has no code for the device";
  }
  return fmt::format(
      "; this build has no code for compute capability {0}.{1}: configure it with "
      "-DCMAKE_CUDA_ARCHITECTURES={0}{1}, or choose a card that it has code for",
      major, minor);
}

}  // namespace

void check(cudaError_t result, const char* expression, std::source_location place) {
  if (result == cudaSuccess) return;
  (void)cudaGetLastError();
  throw device_error(fmt::format("{}: {} ({}) at {}:{}{}", expression, cudaGetErrorName(result),
                                 cudaGetErrorString(result), place.file_name(), place.line(),
                                 advice_on(result)));
}

void report(cudaError_t result, const char* expression) noexcept {
  if (result == cudaSuccess) return;
  (void)cudaGetLastError();
  std::fprintf(stderr, "headroom: %s: %s (%s)\n", expression, cudaGetErrorName(result),
               cudaGetErrorString(result));
}

}  // namespace headroom::cuda
