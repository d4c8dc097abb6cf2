// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/calls.hpp"
#include "../card/transfer.hpp"
#include "answer.hpp"
#include "devices.hpp"
#include "planes.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

direction way_of(cudaMemcpyKind kind) { return static_cast<direction>(kind); }

cudaError_t copy_on(call which, cudaStream_t stream, const transfer& what, bool waits) {
  return answer_on_stream(which, stream, [&](device_session& now, headroom::emulation::stream& on) {
    return copy(now.all, now.lock, on, what, waits);
  });
}

cudaError_t fill_on(call which, cudaStream_t stream, const fill_shape& what, bool waits) {
  return answer_on_stream(which, stream, [&](device_session& now, headroom::emulation::stream& on) {
    return fill(now.all, now.lock, on, what, waits);
  });
}

transfer rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
              std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return {number(to),
          number(from),
          {width, height, 1, to_pitch, from_pitch, height, height},
          way_of(kind)};
}

fill_shape bytes_of(void* at, int value, std::size_t size) {
  return {number(at), static_cast<std::uint64_t>(value), 1, size, 1, 1, size, 1};
}

fill_shape box(const cudaPitchedPtr& at, int value, const cudaExtent& extent) {
  return {number(at.ptr),
          static_cast<std::uint64_t>(value),
          1,
          extent.width,
          extent.height,
          extent.depth,
          at.pitch,
          at.ysize};
}

template <class Parameters>
cudaError_t copy_planes(call which, cudaStream_t stream, const Parameters* what,
                        cudaMemcpyKind kind, bool waits) {
  return answer_on_stream(which, stream, [&](device_session& now, headroom::emulation::stream& on) {
    if (what == nullptr) return result::invalid_value;
    if (what->srcArray != nullptr || what->dstArray != nullptr) {
      note_gap("cudaMemcpy3D from or to an array");
      return result::not_supported;
    }
    return copy(now.all, now.lock, on, planes(*what, kind), waits);
  });
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return copy_on(call::cudaMemcpy_, nullptr,
                 plain_transfer(number(to), number(from), size, way_of(kind)), true);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_on(call::cudaMemcpyAsync_, stream,
                 plain_transfer(number(to), number(from), size, way_of(kind)), false);
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           std::size_t size) {
  // It comes after all work of both devices, and all their later work comes after it.
  return answer_on_device(call::cudaMemcpyPeer_, [&](device_session& now) {
    for (const int index : {to_device, from_device}) {
      device* of = device_of(now.all, index);
      if (of == nullptr) return result::invalid_device;
      wait_for_device(now.all, now.lock, *of);
    }
    stream& on = now.on.legacy;
    const result verdict =
        copy(now.all, now.lock, on,
             plain_transfer(number(to), number(from), size, direction::device_to_device), true);
    wait_for(now.all, now.lock, end_of(now.all, now.lock, on));
    return verdict == result::success ? on.on->fault : verdict;
  });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t size,
                                cudaStream_t stream) {
  return copy_on(call::cudaMemcpyPeerAsync_, stream,
                 plain_transfer(number(to), number(from), size, direction::device_to_device),
                 false);
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_on(call::cudaMemcpy2D_, nullptr,
                 rows(to, to_pitch, from, from_pitch, width, height, kind), true);
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_on(call::cudaMemcpy2DAsync_, stream,
                 rows(to, to_pitch, from, from_pitch, width, height, kind), false);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
  return copy_planes(call::cudaMemcpy3D_, nullptr, what,
                     what == nullptr ? cudaMemcpyDefault : what->kind, true);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
  return copy_planes(call::cudaMemcpy3DAsync_, stream, what,
                     what == nullptr ? cudaMemcpyDefault : what->kind, false);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* what) {
  return copy_planes(call::cudaMemcpy3DPeer_, nullptr, what, cudaMemcpyDeviceToDevice, true);
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* what, cudaStream_t stream) {
  return copy_planes(call::cudaMemcpy3DPeerAsync_, stream, what, cudaMemcpyDeviceToDevice, false);
}

cudaError_t cudaMemset(void* at, int value, std::size_t size) {
  return fill_on(call::cudaMemset_, nullptr, bytes_of(at, value, size), true);
}
cudaError_t cudaMemsetAsync(void* at, int value, std::size_t size, cudaStream_t stream) {
  return fill_on(call::cudaMemsetAsync_, stream, bytes_of(at, value, size), false);
}
cudaError_t cudaMemset2D(void* at, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return fill_on(call::cudaMemset2D_, nullptr,
                 box({at, pitch, width, height}, value, {width, height, 1}), true);
}
cudaError_t cudaMemset2DAsync(void* at, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return fill_on(call::cudaMemset2DAsync_, stream,
                 box({at, pitch, width, height}, value, {width, height, 1}), false);
}
cudaError_t cudaMemset3D(cudaPitchedPtr at, int value, cudaExtent extent) {
  return fill_on(call::cudaMemset3D_, nullptr, box(at, value, extent), true);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr at, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return fill_on(call::cudaMemset3DAsync_, stream, box(at, value, extent), false);
}
