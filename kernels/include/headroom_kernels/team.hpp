// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom_kernels/host_device.hpp>
#ifdef __CUDACC__
#include <headroom_kernels/team_cuda.hpp>
#endif

namespace headroom::kernels {

/// The threads that work on one row together: one on the host, a thread block on the GPU. A body
/// walks its row with `for (i = team.rank(); i < width; i += team.size())`; every thread of the
/// team must reach every sum, max and barrier.
class team {
 public:
#ifdef __CUDA_ARCH__
  [[nodiscard]] __device__ std::int64_t size() const { return blockDim.x; }
  [[nodiscard]] __device__ std::int64_t rank() const { return threadIdx.x; }
  [[nodiscard]] __device__ float sum(float value) const { return detail::block_sum(value); }
  [[nodiscard]] __device__ float max(float value) const { return detail::block_max(value); }
  __device__ void barrier() const { __syncthreads(); }
#else
  [[nodiscard]] HEADROOM_HOST_DEVICE std::int64_t size() const { return 1; }
  [[nodiscard]] HEADROOM_HOST_DEVICE std::int64_t rank() const { return 0; }
  /// The sum over the team, in every thread. The order of additions depends on size() alone.
  [[nodiscard]] HEADROOM_HOST_DEVICE float sum(float value) const { return value; }
  /// The largest over the team, in every thread.
  [[nodiscard]] HEADROOM_HOST_DEVICE float max(float value) const { return value; }
  /// What the team wrote before is seen by all of it behind.
  HEADROOM_HOST_DEVICE void barrier() const {}
#endif
};

}  // namespace headroom::kernels
