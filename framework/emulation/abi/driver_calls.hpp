// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// The calls of the CUDA driver that the emulation models, under the names that its library exports.
#include "module_calls.hpp"

extern "C" {
CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int* version);
CUresult cuGetErrorName(CUresult error, const char** name);
CUresult cuGetErrorString(CUresult error, const char** text);
CUresult cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags);
CUresult cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags,
                             CUdriverProcAddressQueryResult* status);
CUresult cuGetExportTable(const void** table, const CUuuid* id);
CUresult cuLogsRegisterCallback(void (*function)(void*, unsigned, char*, std::size_t), void* data,
                                void** handle);
CUresult cuLogsUnregisterCallback(void* handle);
// devices
CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGetName(char* name, int length, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device);
CUresult cuDeviceTotalMem_v2(std::size_t* size, CUdevice device);
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device);
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device);
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer);
// contexts
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active);
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device);
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxPushCurrent_v2(CUcontext context);
CUresult cuCtxPopCurrent_v2(CUcontext* context);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxSynchronize();
CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit);
CUresult cuCtxSetLimit(CUlimit limit, std::size_t value);
// memory
CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total);
CUresult cuMemAlloc_v2(CUdeviceptr* at, std::size_t size);
CUresult cuMemFree_v2(CUdeviceptr at);
CUresult cuMemHostAlloc(void** at, std::size_t size, unsigned flags);
CUresult cuMemFreeHost(void* at);
CUresult cuMemGetAddressRange_v2(CUdeviceptr* begin, std::size_t* size, CUdeviceptr at);
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr at);
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr at);
// virtual memory
CUresult cuMemAddressReserve(CUdeviceptr* at, std::size_t size, std::size_t alignment,
                             CUdeviceptr wanted, unsigned long long flags);
CUresult cuMemAddressFree(CUdeviceptr at, std::size_t size);
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t size,
                     const CUmemAllocationProp* wanted, unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* at);
CUresult cuMemMap(CUdeviceptr at, std::size_t size, std::size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags);
CUresult cuMemUnmap(CUdeviceptr at, std::size_t size);
CUresult cuMemSetAccess(CUdeviceptr at, std::size_t size, const CUmemAccessDesc* wanted,
                        std::size_t count);
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr at);
CUresult cuMemGetAllocationGranularity(std::size_t* size, const CUmemAllocationProp* wanted,
                                       CUmemAllocationGranularity_flags which);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle);
CUresult cuMemExportToShareableHandle(void* shared, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags);
// copies and fills
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t size);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream stream);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t size);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t size, CUstream stream);
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t size);
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t size, CUstream stream);
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t size);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream stream);
CUresult cuMemsetD8_v2(CUdeviceptr at, unsigned char value, std::size_t count);
CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, std::size_t count, CUstream stream);
CUresult cuMemsetD16_v2(CUdeviceptr at, unsigned short value, std::size_t count);
CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, std::size_t count, CUstream stream);
CUresult cuMemsetD32_v2(CUdeviceptr at, unsigned value, std::size_t count);
CUresult cuMemsetD32Async(CUdeviceptr at, unsigned value, std::size_t count, CUstream stream);
// streams and events
CUresult cuStreamCreate(CUstream* stream, unsigned flags);
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority);
CUresult cuStreamDestroy_v2(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data);
CUresult cuEventCreate(CUevent* event, unsigned flags);
CUresult cuEventDestroy_v2(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventQuery(CUevent event);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end);
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent begin, CUevent end);
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context);
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status);
}
