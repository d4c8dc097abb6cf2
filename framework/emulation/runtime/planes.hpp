// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "../card/transfer.hpp"
#include "answer.hpp"

namespace headroom::emulation::runtime {

/// The copy that cudaMemcpy3DParms or cudaMemcpy3DPeerParms describe.
template <class Parameters>
transfer planes(const Parameters& what, cudaMemcpyKind kind) {
  const auto begin = [](const cudaPitchedPtr& at, const cudaPos& position) {
    return number(at.ptr) + (position.z * at.ysize + position.y) * at.pitch + position.x;
  };
  return {begin(what.dstPtr, what.dstPos),
          begin(what.srcPtr, what.srcPos),
          {what.extent.width, what.extent.height, what.extent.depth, what.dstPtr.pitch,
           what.srcPtr.pitch, what.dstPtr.ysize, what.srcPtr.ysize},
          static_cast<direction>(kind)};
}

}  // namespace headroom::emulation::runtime
