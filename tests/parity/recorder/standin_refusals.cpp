// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Calls of the CUDA runtime that the allocator's library names and that no trace makes. They take
// any arguments and answer "not supported".
namespace {
constexpr int not_supported = 801;
}

#define HEADROOM_REFUSE(name) \
  extern "C" int name(...) { return not_supported; }

HEADROOM_REFUSE(cudaDeviceEnablePeerAccess)
HEADROOM_REFUSE(cudaDeviceGetDefaultMemPool)
HEADROOM_REFUSE(cudaDeviceGetGraphMemAttribute)
HEADROOM_REFUSE(cudaDeviceSetGraphMemAttribute)
HEADROOM_REFUSE(cudaEventElapsedTime)
HEADROOM_REFUSE(cudaFreeAsync)
HEADROOM_REFUSE(cudaGraphNodeGetDependencies)
HEADROOM_REFUSE(cudaIpcCloseMemHandle)
HEADROOM_REFUSE(cudaIpcGetMemHandle)
HEADROOM_REFUSE(cudaIpcOpenMemHandle)
HEADROOM_REFUSE(cudaMallocAsync)
HEADROOM_REFUSE(cudaMemPoolGetAttribute)
HEADROOM_REFUSE(cudaMemPoolSetAccess)
HEADROOM_REFUSE(cudaMemPoolSetAttribute)
HEADROOM_REFUSE(cudaMemPoolTrimTo)
HEADROOM_REFUSE(cudaMemcpy)
HEADROOM_REFUSE(cudaMemcpyAsync)
HEADROOM_REFUSE(cudaMemcpyPeerAsync)
HEADROOM_REFUSE(cudaStreamCreateWithPriority)
HEADROOM_REFUSE(cudaStreamWaitEvent)
