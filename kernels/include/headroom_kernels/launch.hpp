// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/device.hpp>
#include <headroom_kernels/host_device.hpp>
#include <headroom_kernels/host_loop.hpp>
#include <headroom_kernels/team.hpp>
#include <type_traits>
#ifdef __CUDACC__
#include <headroom_kernels/launch_cuda.hpp>
#endif

/// Single-source kernels. A body is a small struct of pointers and numbers with a call operator
/// marked HEADROOM_HOST_DEVICE. It runs as a loop on the cpu device, in order and in one thread, as
/// a kernel on a cuda device, and is left out where the device does not compute.
///
/// A source that launches is compiled as CUDA when the CUDA backend is built
/// (headroom_kernel_sources), and its bodies live in an unnamed namespace: a body that two
/// sources share, one compiled as CUDA and one not, would be defined twice.
namespace headroom::kernels {
namespace detail {

/// @throws usage_error: the body was not compiled for `on`
[[noreturn]] void refuse_cuda(const device& on);

}  // namespace detail

/// Queues body(i) for 0 <= i < count, in any order.
/// @throws device_error when the launch fails
template <class Body>
void launch_elements(device& on, stream_id stream, std::int64_t count, const Body& body) {
  static_assert(std::is_trivially_copyable_v<Body>, "a body is copied to the GPU byte by byte");
  if (count <= 0 || !on.computes()) return;
  if (on.info().kind != device_kind::cuda) return detail::run_elements(count, body);
#ifdef __CUDACC__
  detail::launch_elements_cuda(on.native_stream(stream), count, body);
#else
  static_cast<void>(stream);
  detail::refuse_cuda(on);
#endif
}

/// Queues body(team, row, width) for 0 <= row < rows, in any order; each row has a team.
/// @param width  length of a row; decides how large the teams are
/// @throws device_error when the launch fails
template <class Body>
void launch_rows(device& on, stream_id stream, std::int64_t rows, std::int64_t width,
                 const Body& body) {
  static_assert(std::is_trivially_copyable_v<Body>, "a body is copied to the GPU byte by byte");
  if (rows <= 0 || !on.computes()) return;
  if (on.info().kind != device_kind::cuda) return detail::run_rows(rows, width, body);
#ifdef __CUDACC__
  detail::launch_rows_cuda(on.native_stream(stream), rows, width, body);
#else
  static_cast<void>(stream);
  detail::refuse_cuda(on);
#endif
}

}  // namespace headroom::kernels
