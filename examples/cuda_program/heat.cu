// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Heat spreads over a square plate: two grids of stream-ordered memory, a kernel of its own, NVTX
// ranges for its two parts. It knows nothing of headroom.
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

__global__ void spread(float* to, const float* from, int edge) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < 1 || y < 1 || x >= edge - 1 || y >= edge - 1) return;
  const int at = y * edge + x;
  to[at] = 0.25f * (from[at - 1] + from[at + 1] + from[at - edge] + from[at + edge]);
}

void check(cudaError_t answer) {
  if (answer == cudaSuccess) return;
  std::fprintf(stderr, "heat: %s\n", cudaGetErrorString(answer));
  std::exit(1);
}

int main(int count, char** arguments) {
  const int edge = count > 1 ? std::atoi(arguments[1]) : 1024;
  const std::size_t size = sizeof(float) * edge * edge;
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));

  nvtxRangePushA("setup");
  float* now = nullptr;
  float* next = nullptr;
  check(cudaMallocAsync(reinterpret_cast<void**>(&now), size, stream));
  check(cudaMallocAsync(reinterpret_cast<void**>(&next), size, stream));
  check(cudaMemsetAsync(now, 0, size, stream));
  check(cudaMemsetAsync(next, 0, size, stream));
  nvtxRangePop();

  nvtxRangePushA("steps");
  const dim3 block(16, 16);
  const dim3 grid((edge + 15) / 16, (edge + 15) / 16);
  for (int step = 0; step < 100; ++step) {
    spread<<<grid, block, 0, stream>>>(next, now, edge);
    check(cudaGetLastError());
    std::swap(now, next);
  }
  check(cudaStreamSynchronize(stream));
  nvtxRangePop();

  check(cudaFreeAsync(now, stream));
  check(cudaFreeAsync(next, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaStreamDestroy(stream));
  std::puts("done");
  return 0;
}
