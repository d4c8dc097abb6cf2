// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Stand-in for the CUDA runtime: as much as an allocator asks of it. No work is ever queued but
// events; a stream passes them when something waits for it, or when the recorder says so.
#include <cuda_runtime_api.h>

#include <cstring>

#include "device_model.hpp"
#include "standin.hpp"

namespace {

cudaError_t last_error = cudaSuccess;

cudaError_t fails(cudaError_t with) { return last_error = with; }
std::uint64_t number_of(const void* address) { return reinterpret_cast<std::uint64_t>(address); }
void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(address); }
device_model::event& event_of(cudaEvent_t handle) {
  return *reinterpret_cast<device_model::event*>(handle);
}

}  // namespace

device_model& model() {
  static device_model one;
  return one;
}

extern "C" {

void standin_set_capacity(std::uint64_t bytes) { model().capacity = bytes; }
void standin_complete(void* stream) { model().of(stream).passed = model().of(stream).queued; }
void standin_locate(const void* address, std::uint64_t* ordinal, std::uint64_t* offset) {
  const device_model::place found = model().locate(number_of(address));
  *ordinal = found.ordinal;
  *offset = found.offset;
}

cudaError_t cudaMalloc(void** address, size_t size) {
  const std::uint64_t whole = (size + device_model::granularity - 1) / device_model::granularity *
                              device_model::granularity;
  if (!model().take(whole)) return fails(cudaErrorMemoryAllocation);
  *address = pointer_to(model().set_aside(whole));
  model().segments[number_of(*address)] = whole;
  return cudaSuccess;
}
cudaError_t cudaFree(void* address) {
  if (address == nullptr) return cudaSuccess;
  const auto found = model().segments.find(number_of(address));
  if (found == model().segments.end()) return fails(cudaErrorInvalidValue);
  model().give_back(found->second);
  model().segments.erase(found);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = model().capacity;
  *free = model().capacity - model().used;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, cudaSuccess; }
#undef cudaGetDeviceProperties
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "addresses only");
  properties->totalGlobalMem = model().capacity;
  properties->major = 9;
  properties->multiProcessorCount = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { return *can = 0, cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return model().synchronize(), cudaSuccess; }

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return standin_complete(stream), cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const device_model::stream& asked = model().of(stream);
  return asked.passed == asked.queued ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  return *status = cudaStreamCaptureStatusNone, cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t*, const cudaGraphNode_t**,
                                     const cudaGraphEdgeData**, size_t*) {
  *status = cudaStreamCaptureStatusNone;
  if (id != nullptr) *id = 0;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(new device_model::event);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete &event_of(event), cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  device_model::stream& on = model().of(stream);
  event_of(event) = {&on, ++on.queued};
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return event_of(event).passed() ? cudaSuccess : fails(cudaErrorNotReady);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const device_model::event& asked = event_of(event);
  if (!asked.passed()) asked.on->passed = asked.number;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}
const char* cudaGetErrorName(cudaError_t) { return "cudaError"; }
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory" : "refused by the stand-in";
}

}  // extern "C"
