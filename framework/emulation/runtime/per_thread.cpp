// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The variants that a program calls when it is compiled for per-thread default streams: stream 0 is
// the thread's own. They count as the calls that they stand for.
#include "../abi/runtime_calls.hpp"

namespace {

cudaStream_t own(cudaStream_t stream) { return stream == nullptr ? cudaStreamPerThread : stream; }

/// The synchronous calls work on the thread's own stream, and wait for it.
cudaError_t waited(cudaError_t queued) {
  return queued == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : queued;
}

cudaError_t launch(const cudaLaunchConfig_t* shape, const void* kernel, void** arguments) {
  if (shape == nullptr) return cudaLaunchKernelExC(shape, kernel, arguments);
  cudaLaunchConfig_t with_own = *shape;
  with_own.stream = own(shape->stream);
  return cudaLaunchKernelExC(&with_own, kernel, arguments);
}

}  // namespace

// The build reads the names from these lines.
#define HEADROOM_PER_THREAD(name, parameters, body)             \
  extern "C" cudaError_t name parameters; /* not in a header */ \
  cudaError_t name parameters { return body; }

// clang-format off
HEADROOM_PER_THREAD(cudaMemcpy_ptds, (void* to, const void* from, std::size_t size, cudaMemcpyKind kind), waited(cudaMemcpyAsync(to, from, size, kind, cudaStreamPerThread)))
HEADROOM_PER_THREAD(cudaMemcpy2D_ptds, (void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind), waited(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, cudaStreamPerThread)))
HEADROOM_PER_THREAD(cudaMemcpy3D_ptds, (const cudaMemcpy3DParms* what), waited(cudaMemcpy3DAsync(what, cudaStreamPerThread)))
HEADROOM_PER_THREAD(cudaMemcpy3DPeer_ptds, (const cudaMemcpy3DPeerParms* what), waited(cudaMemcpy3DPeerAsync(what, cudaStreamPerThread)))
HEADROOM_PER_THREAD(cudaMemcpyToSymbol_ptds, (const void* symbol, const void* from, std::size_t size, std::size_t offset, cudaMemcpyKind kind), waited(cudaMemcpyToSymbolAsync(symbol, from, size, offset, kind, cudaStreamPerThread)))
HEADROOM_PER_THREAD(cudaMemcpyFromSymbol_ptds, (void* to, const void* symbol, std::size_t size, std::size_t offset, cudaMemcpyKind kind), waited(cudaMemcpyFromSymbolAsync(to, symbol, size, offset, kind, cudaStreamPerThread)))
HEADROOM_PER_THREAD(cudaMemset_ptds, (void* at, int value, std::size_t size), cudaMemsetAsync(at, value, size, cudaStreamPerThread))
HEADROOM_PER_THREAD(cudaMemset2D_ptds, (void* at, std::size_t pitch, int value, std::size_t width, std::size_t height), cudaMemset2DAsync(at, pitch, value, width, height, cudaStreamPerThread))
HEADROOM_PER_THREAD(cudaMemset3D_ptds, (cudaPitchedPtr at, int value, cudaExtent extent), cudaMemset3DAsync(at, value, extent, cudaStreamPerThread))
HEADROOM_PER_THREAD(cudaMemcpyAsync_ptsz, (void* to, const void* from, std::size_t size, cudaMemcpyKind kind, cudaStream_t stream), cudaMemcpyAsync(to, from, size, kind, own(stream)))
HEADROOM_PER_THREAD(cudaMemcpy2DAsync_ptsz, (void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream), cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, own(stream)))
HEADROOM_PER_THREAD(cudaMemcpy3DAsync_ptsz, (const cudaMemcpy3DParms* what, cudaStream_t stream), cudaMemcpy3DAsync(what, own(stream)))
HEADROOM_PER_THREAD(cudaMemcpy3DPeerAsync_ptsz, (const cudaMemcpy3DPeerParms* what, cudaStream_t stream), cudaMemcpy3DPeerAsync(what, own(stream)))
HEADROOM_PER_THREAD(cudaMemcpyToSymbolAsync_ptsz, (const void* symbol, const void* from, std::size_t size, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream), cudaMemcpyToSymbolAsync(symbol, from, size, offset, kind, own(stream)))
HEADROOM_PER_THREAD(cudaMemcpyFromSymbolAsync_ptsz, (void* to, const void* symbol, std::size_t size, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream), cudaMemcpyFromSymbolAsync(to, symbol, size, offset, kind, own(stream)))
HEADROOM_PER_THREAD(cudaMemsetAsync_ptsz, (void* at, int value, std::size_t size, cudaStream_t stream), cudaMemsetAsync(at, value, size, own(stream)))
HEADROOM_PER_THREAD(cudaMemset2DAsync_ptsz, (void* at, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream), cudaMemset2DAsync(at, pitch, value, width, height, own(stream)))
HEADROOM_PER_THREAD(cudaMemset3DAsync_ptsz, (cudaPitchedPtr at, int value, cudaExtent extent, cudaStream_t stream), cudaMemset3DAsync(at, value, extent, own(stream)))
HEADROOM_PER_THREAD(cudaStreamSynchronize_ptsz, (cudaStream_t stream), cudaStreamSynchronize(own(stream)))
HEADROOM_PER_THREAD(cudaStreamQuery_ptsz, (cudaStream_t stream), cudaStreamQuery(own(stream)))
HEADROOM_PER_THREAD(cudaStreamWaitEvent_ptsz, (cudaStream_t stream, cudaEvent_t event, unsigned flags), cudaStreamWaitEvent(own(stream), event, flags))
HEADROOM_PER_THREAD(cudaStreamGetPriority_ptsz, (cudaStream_t stream, int* priority), cudaStreamGetPriority(own(stream), priority))
HEADROOM_PER_THREAD(cudaStreamGetFlags_ptsz, (cudaStream_t stream, unsigned* flags), cudaStreamGetFlags(own(stream), flags))
HEADROOM_PER_THREAD(cudaStreamGetId_ptsz, (cudaStream_t stream, unsigned long long* id), cudaStreamGetId(own(stream), id))
HEADROOM_PER_THREAD(cudaStreamGetDevice_ptsz, (cudaStream_t stream, int* device), cudaStreamGetDevice(own(stream), device))
HEADROOM_PER_THREAD(cudaStreamAddCallback_ptsz, (cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned flags), cudaStreamAddCallback(own(stream), function, data, flags))
HEADROOM_PER_THREAD(cudaLaunchHostFunc_ptsz, (cudaStream_t stream, cudaHostFn_t function, void* data), cudaLaunchHostFunc(own(stream), function, data))
HEADROOM_PER_THREAD(cudaStreamAttachMemAsync_ptsz, (cudaStream_t stream, void* at, std::size_t size, unsigned flags), cudaStreamAttachMemAsync(own(stream), at, size, flags))
HEADROOM_PER_THREAD(cudaEventRecord_ptsz, (cudaEvent_t event, cudaStream_t stream), cudaEventRecord(event, own(stream)))
HEADROOM_PER_THREAD(cudaEventRecordWithFlags_ptsz, (cudaEvent_t event, cudaStream_t stream, unsigned flags), cudaEventRecordWithFlags(event, own(stream), flags))
HEADROOM_PER_THREAD(cudaLaunchKernel_ptsz, (const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t stream), cudaLaunchKernel(kernel, grid, block, arguments, shared, own(stream)))
HEADROOM_PER_THREAD(cudaLaunchCooperativeKernel_ptsz, (const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t stream), cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, own(stream)))
HEADROOM_PER_THREAD(cudaLaunchKernelExC_ptsz, (const cudaLaunchConfig_t* shape, const void* kernel, void** arguments), launch(shape, kernel, arguments))
HEADROOM_PER_THREAD(cudaMallocAsync_ptsz, (void** at, std::size_t size, cudaStream_t stream), cudaMallocAsync(at, size, own(stream)))
HEADROOM_PER_THREAD(cudaMallocFromPoolAsync_ptsz, (void** at, std::size_t size, cudaMemPool_t pool, cudaStream_t stream), cudaMallocFromPoolAsync(at, size, pool, own(stream)))
HEADROOM_PER_THREAD(cudaFreeAsync_ptsz, (void* at, cudaStream_t stream), cudaFreeAsync(at, own(stream)))
HEADROOM_PER_THREAD(cudaStreamBeginCapture_ptsz, (cudaStream_t stream, cudaStreamCaptureMode mode), cudaStreamBeginCapture(own(stream), mode))
HEADROOM_PER_THREAD(cudaStreamEndCapture_ptsz, (cudaStream_t stream, cudaGraph_t* graph), cudaStreamEndCapture(own(stream), graph))
HEADROOM_PER_THREAD(cudaStreamIsCapturing_ptsz, (cudaStream_t stream, cudaStreamCaptureStatus* status), cudaStreamIsCapturing(own(stream), status))
HEADROOM_PER_THREAD(cudaGraphLaunch_ptsz, (cudaGraphExec_t executable, cudaStream_t stream), cudaGraphLaunch(executable, own(stream)))
HEADROOM_PER_THREAD(cudaGraphUpload_ptsz, (cudaGraphExec_t executable, cudaStream_t stream), cudaGraphUpload(executable, own(stream)))
HEADROOM_PER_THREAD(cudaGetDriverEntryPoint_ptsz, (const char* name, void** function, unsigned long long flags, cudaDriverEntryPointQueryResult* status), cudaGetDriverEntryPoint(name, function, flags, status))
HEADROOM_PER_THREAD(cudaGetDriverEntryPointByVersion_ptsz, (const char* name, void** function, unsigned version, unsigned long long flags, cudaDriverEntryPointQueryResult* status), cudaGetDriverEntryPointByVersion(name, function, version, flags, status))
// clang-format on
