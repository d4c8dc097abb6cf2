// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/occupancy.hpp"

#include <cstring>

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

/// @param body  (device_session&, kernel&) -> result
template <class Body>
cudaError_t about_kernel(call which, const void* handle, Body body) {
  return answer_on_device(which, [&](device_session& now) {
    kernel* known = modules().find(handle);
    return known == nullptr ? result::invalid_device_function : body(now, *known);
  });
}

cudaError_t blocks_at_once(call which, int* blocks, const void* handle, int block_size,
                           std::size_t shared) {
  return about_kernel(which, handle, [&](device_session& now, const kernel& of) {
    if (blocks == nullptr || block_size <= 0) return result::invalid_value;
    *blocks = resident_blocks(now.on, static_cast<std::uint64_t>(block_size),
                              shared + of.code.shared, of.code.registers);
    return result::success;
  });
}

}  // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* handle) {
  return about_kernel(
      call::cudaFuncGetAttributes_, handle, [&](device_session& now, const kernel& of) {
        if (attributes == nullptr) return result::invalid_value;
        // The code of registered kernels is not read: no register count and no static shared
        // memory is known.
        std::memset(attributes, 0, sizeof *attributes);
        attributes->maxThreadsPerBlock = 1024;
        attributes->numRegs = of.code.registers;
        const loaded_code code =
            modules().loaded_on(of, now.on.profile.major, now.on.profile.minor);
        attributes->binaryVersion = code.machine;
        attributes->ptxVersion = code.portable;
        attributes->maxDynamicSharedSizeBytes =
            of.dynamic_shared != 0 ? of.dynamic_shared : static_cast<int>(shared_by_default);
        attributes->preferredShmemCarveout = of.carveout;
        return result::success;
      });
}

cudaError_t cudaFuncSetAttribute(const void* handle, cudaFuncAttribute attribute, int value) {
  return about_kernel(call::cudaFuncSetAttribute_, handle, [&](device_session& now, kernel& of) {
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
      if (value < 0 || static_cast<std::uint64_t>(value) > now.on.profile.shared_per_block_optin) {
        return result::invalid_value;
      }
      of.dynamic_shared = value;
    } else if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      if (value < -1 || value > 100) return result::invalid_value;
      of.carveout = value;
    } else if (static_cast<int>(attribute) < 8 || static_cast<int>(attribute) > 15) {
      return result::invalid_value;
    }
    return result::success;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* handle, cudaFuncCache) {
  return about_kernel(call::cudaFuncSetCacheConfig_, handle,
                      [](device_session&, const kernel&) { return result::success; });
}

cudaError_t cudaFuncGetName(const char** name, const void* handle) {
  return about_kernel(call::cudaFuncGetName_, handle, [&](device_session&, const kernel& of) {
    if (name == nullptr) return result::invalid_value;
    *name = of.name;
    return result::success;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int block_size, std::size_t shared) {
  return blocks_at_once(call::cudaOccupancyMaxActiveBlocksPerMultiprocessor_, blocks, kernel,
                        block_size, shared);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block_size,
                                                                   std::size_t shared, unsigned) {
  return blocks_at_once(call::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_, blocks,
                        kernel, block_size, shared);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* size, const void* handle,
                                                      int blocks, int block_size) {
  return about_kernel(call::cudaOccupancyAvailableDynamicSMemPerBlock_, handle,
                      [&](device_session& now, const kernel&) {
                        if (size == nullptr || blocks <= 0 || block_size <= 0) {
                          return result::invalid_value;
                        }
                        *size = shared_for_blocks(now.on, static_cast<std::uint64_t>(blocks));
                        return result::success;
                      });
}
