// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <headroom/cuda/cuda_error.hpp>
#include <headroom_kernels/host_loop.hpp>
#include <headroom_kernels/host_twin.hpp>
#include <headroom_kernels/team.hpp>

/// The CUDA half of launch.hpp. Every kernel takes sizes and one body, in this order, so that a
/// launch can be told apart and repeated from its kernel and its arguments alone.
namespace headroom::kernels::detail {

template <class Body>
__global__ void elements_kernel(std::int64_t count, Body body) {
  const auto step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (auto i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    body(i);
  }
}

template <class Body>
__global__ void rows_kernel(std::int64_t rows, std::int64_t width, Body body) {
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x) body(team{}, row, width);
}

// The same bodies as the host runs them: for an emulated card, which is told when the program is
// loaded, so that a launch itself knows nothing of it.
template <class Body>
void elements_twin(void** arguments) {
  run_elements(*static_cast<const std::int64_t*>(arguments[0]),
               *static_cast<const Body*>(arguments[1]));
}
template <class Body>
inline const bool elements_twin_is_set =
    set_host_twin(reinterpret_cast<const void*>(&elements_kernel<Body>), &elements_twin<Body>,
                  {sizeof(std::int64_t), sizeof(Body)});

template <class Body>
void rows_twin(void** arguments) {
  run_rows(*static_cast<const std::int64_t*>(arguments[0]),
           *static_cast<const std::int64_t*>(arguments[1]),
           *static_cast<const Body*>(arguments[2]));
}
template <class Body>
inline const bool rows_twin_is_set =
    set_host_twin(reinterpret_cast<const void*>(&rows_kernel<Body>), &rows_twin<Body>,
                  {sizeof(std::int64_t), sizeof(std::int64_t), sizeof(Body)});

inline constexpr std::int64_t threads_per_block = 256;
inline constexpr std::int64_t most_blocks = 65535;  // the kernels stride over the rest

template <class Body>
void launch_elements_cuda(void* stream, std::int64_t count, Body body) {
  const std::int64_t blocks = (count - 1) / threads_per_block + 1;
  void* arguments[] = {&count, &body};
  static_cast<void>(elements_twin_is_set<Body>);
  cuda::check(
      cudaLaunchKernel(reinterpret_cast<const void*>(&elements_kernel<Body>),
                       dim3(static_cast<unsigned>(std::min(blocks, most_blocks))),
                       dim3(threads_per_block), arguments, 0, static_cast<cudaStream_t>(stream)),
      "launch_elements");
}

template <class Body>
void launch_rows_cuda(void* stream, std::int64_t rows, std::int64_t width, Body body) {
  const std::int64_t warps = std::clamp<std::int64_t>((width + warp_size - 1) / warp_size, 1,
                                                      threads_per_block / warp_size);
  void* arguments[] = {&rows, &width, &body};
  static_cast<void>(rows_twin_is_set<Body>);
  cuda::check(cudaLaunchKernel(reinterpret_cast<const void*>(&rows_kernel<Body>),
                               dim3(static_cast<unsigned>(std::min(rows, most_blocks))),
                               dim3(static_cast<unsigned>(warps * warp_size)), arguments, 0,
                               static_cast<cudaStream_t>(stream)),
              "launch_rows");
}

}  // namespace headroom::kernels::detail
