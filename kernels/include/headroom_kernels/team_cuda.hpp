// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cuda_runtime.h>

/// Reductions over a thread block whose size is a multiple of 32. Part of the launcher.
namespace headroom::kernels::detail {

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned most_warps = 32;

struct add {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <class Combine>
__device__ float warp_reduce(float value, Combine combine) {
  for (unsigned distance = warp_size / 2; distance > 0; distance /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffU, value, static_cast<int>(distance)));
  }
  return value;
}

template <class Combine>
__device__ float block_reduce(float value, float neutral, Combine combine) {
  __shared__ float partial[most_warps];
  value = warp_reduce(value, combine);
  const unsigned lane = threadIdx.x % warp_size;
  __syncthreads();  // an earlier reduction may still be reading `partial`
  if (lane == 0) partial[threadIdx.x / warp_size] = value;
  __syncthreads();
  return warp_reduce(lane < blockDim.x / warp_size ? partial[lane] : neutral, combine);
}

__device__ inline float block_sum(float value) { return block_reduce(value, 0.0F, add{}); }
__device__ inline float block_max(float value) { return block_reduce(value, -INFINITY, larger{}); }

}  // namespace headroom::kernels::detail
