// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cstdio>
#include <headroom/core/error.hpp>
#include <headroom/cuda/cuda_error.hpp>

namespace headroom::cuda {

void check(cudaError_t result, const char* expression, std::source_location place) {
  if (result == cudaSuccess) return;
  (void)cudaGetLastError();
  throw device_error(fmt::format("{}: {} ({}) at {}:{}", expression, cudaGetErrorName(result),
                                 cudaGetErrorString(result), place.file_name(), place.line()));
}

void report(cudaError_t result, const char* expression) noexcept {
  if (result == cudaSuccess) return;
  (void)cudaGetLastError();
  std::fprintf(stderr, "headroom: %s: %s (%s)\n", expression, cudaGetErrorName(result),
               cudaGetErrorString(result));
}

}  // namespace headroom::cuda
