// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cstring>

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* at) {
  return answer_on_device(call::cudaPointerGetAttributes_, [&](device_session& now) {
    if (attributes == nullptr) return result::invalid_value;
    std::memset(attributes, 0, sizeof *attributes);
    void* const same = const_cast<void*>(at);
    const block* holder = now.all.blocks.find(number(at));
    if (holder == nullptr) {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = -2;
      attributes->hostPointer = same;
      return result::success;
    }
    attributes->device = holder->device;
    attributes->devicePointer = same;
    switch (holder->kind) {
      case block_kind::pinned:
      case block_kind::registered:
        attributes->type = cudaMemoryTypeHost;
        attributes->hostPointer = same;
        break;
      case block_kind::managed:
        attributes->type = cudaMemoryTypeManaged;
        attributes->hostPointer = same;
        break;
      default:
        attributes->type = cudaMemoryTypeDevice;
        break;
    }
    return result::success;
  });
}
