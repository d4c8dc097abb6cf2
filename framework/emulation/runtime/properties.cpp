// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "properties.hpp"

#include <cstring>

#include "../card/attributes.hpp"

namespace headroom::emulation::runtime {
namespace {

/// An attribute's value, for the fields that say the same.
int value(const device& on, cudaDeviceAttr attribute) {
  return attribute_of(on, attribute).value_or(0);
}

void fill_limits(cudaDeviceProp& into, const device& on) {
  into.sharedMemPerBlock = static_cast<std::size_t>(value(on, cudaDevAttrMaxSharedMemoryPerBlock));
  into.sharedMemPerBlockOptin = on.profile.shared_per_block_optin;
  into.sharedMemPerMultiprocessor = on.profile.shared_per_processor;
  into.reservedSharedMemPerBlock =
      static_cast<std::size_t>(value(on, cudaDevAttrReservedSharedMemoryPerBlock));
  into.regsPerBlock = value(on, cudaDevAttrMaxRegistersPerBlock);
  into.regsPerMultiprocessor = value(on, cudaDevAttrMaxRegistersPerMultiprocessor);
  into.warpSize = value(on, cudaDevAttrWarpSize);
  into.memPitch = static_cast<std::size_t>(value(on, cudaDevAttrMaxPitch));
  into.maxThreadsPerBlock = value(on, cudaDevAttrMaxThreadsPerBlock);
  into.maxThreadsDim[0] = value(on, cudaDevAttrMaxBlockDimX);
  into.maxThreadsDim[1] = value(on, cudaDevAttrMaxBlockDimY);
  into.maxThreadsDim[2] = value(on, cudaDevAttrMaxBlockDimZ);
  into.maxGridSize[0] = value(on, cudaDevAttrMaxGridDimX);
  into.maxGridSize[1] = value(on, cudaDevAttrMaxGridDimY);
  into.maxGridSize[2] = value(on, cudaDevAttrMaxGridDimZ);
  into.totalConstMem = static_cast<std::size_t>(value(on, cudaDevAttrTotalConstantMemory));
  into.textureAlignment = static_cast<std::size_t>(value(on, cudaDevAttrTextureAlignment));
  into.texturePitchAlignment =
      static_cast<std::size_t>(value(on, cudaDevAttrTexturePitchAlignment));
  into.surfaceAlignment = static_cast<std::size_t>(value(on, cudaDevAttrSurfaceAlignment));
  into.multiProcessorCount = on.profile.processors;
  into.maxThreadsPerMultiProcessor = on.profile.threads_per_processor;
  into.maxBlocksPerMultiProcessor = on.profile.blocks_per_processor;
  into.l2CacheSize = static_cast<int>(on.profile.level2_cache);
  into.asyncEngineCount = value(on, cudaDevAttrAsyncEngineCount);
}

void fill_abilities(cudaDeviceProp& into, const device& on) {
  into.canMapHostMemory = value(on, cudaDevAttrCanMapHostMemory);
  into.concurrentKernels = value(on, cudaDevAttrConcurrentKernels);
  into.unifiedAddressing = value(on, cudaDevAttrUnifiedAddressing);
  into.streamPrioritiesSupported = value(on, cudaDevAttrStreamPrioritiesSupported);
  into.globalL1CacheSupported = value(on, cudaDevAttrGlobalL1CacheSupported);
  into.localL1CacheSupported = value(on, cudaDevAttrLocalL1CacheSupported);
  into.managedMemory = value(on, cudaDevAttrManagedMemory);
  into.concurrentManagedAccess = value(on, cudaDevAttrConcurrentManagedAccess);
  into.computePreemptionSupported = value(on, cudaDevAttrComputePreemptionSupported);
  into.canUseHostPointerForRegisteredMem = value(on, cudaDevAttrCanUseHostPointerForRegisteredMem);
  into.cooperativeLaunch = value(on, cudaDevAttrCooperativeLaunch);
  into.hostRegisterSupported = value(on, cudaDevAttrHostRegisterSupported);
  into.memoryPoolsSupported = value(on, cudaDevAttrMemoryPoolsSupported);
  into.clusterLaunch = value(on, cudaDevAttrClusterLaunch);
}

}  // namespace

void fill_properties(cudaDeviceProp& into, const device& on) {
  std::memset(&into, 0, sizeof into);
  std::strncpy(into.name, on.profile.name.c_str(), sizeof into.name - 1);
  const device_identity identity = identity_of(on);
  std::memcpy(into.uuid.bytes, identity.uuid, sizeof into.uuid.bytes);
  into.totalGlobalMem = on.memory.capacity();
  into.major = on.profile.major;
  into.minor = on.profile.minor;
  into.pciBusID = identity.bus;
  into.multiGpuBoardGroupID = on.index;
  fill_limits(into, on);
  fill_abilities(into, on);
}

}  // namespace headroom::emulation::runtime
