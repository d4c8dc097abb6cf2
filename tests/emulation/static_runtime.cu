// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// A program that links the CUDA runtime statically, as CMake does by default.
#include <cstdio>

int main() {
  int count = 0;
  const cudaError_t answer = cudaGetDeviceCount(&count);
  std::printf("cudaGetDeviceCount: %s\n", cudaGetErrorString(answer));
  return answer == cudaSuccess ? 0 : 1;
}
