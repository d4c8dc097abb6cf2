// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The modules that tests load are made of this by ./make_modules, and kept: a test needs no
// compiler.
__device__ int counter = 5;
__device__ float large[1000];
__constant__ int table[4];

extern "C" __global__ void add(int* to, int value) {
  to[threadIdx.x] += value + table[0] + counter;
}

extern "C" __global__ void __launch_bounds__(256) shuffle(float* to, int n) {
  __shared__ float shared[512];
  float own[64];
  shared[threadIdx.x] = to[n];
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < 64; ++i) own[(i * n) & 63] = shared[i];
  to[threadIdx.x] = own[n & 63] + shared[threadIdx.x ^ 1] + large[n];
}
