// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Stand-in for the driver's virtual memory calls, which the runtime hands out by name: address
// ranges, and pages that count against the capacity.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <string_view>
#include <utility>

#include "device_model.hpp"

namespace {

CUresult reserve(CUdeviceptr* address, size_t size, size_t, CUdeviceptr, unsigned long long) {
  return *address = model().set_aside(size), CUDA_SUCCESS;
}
CUresult create(CUmemGenericAllocationHandle* handle, size_t size, const CUmemAllocationProp*,
                unsigned long long) {
  static CUmemGenericAllocationHandle made = 0;
  if (!model().take(size)) return CUDA_ERROR_OUT_OF_MEMORY;
  *handle = ++made;
  model().pages[made] = size;
  return CUDA_SUCCESS;
}
CUresult release(CUmemGenericAllocationHandle handle) {
  const auto found = model().pages.find(handle);
  if (found == model().pages.end()) return CUDA_ERROR_INVALID_VALUE;
  model().give_back(found->second);
  model().pages.erase(found);
  return CUDA_SUCCESS;
}
CUresult granularity(size_t* size, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
  return *size = device_model::granularity, CUDA_SUCCESS;
}
CUresult device_attribute(int* value, CUdevice_attribute, CUdevice) {
  return *value = 0, CUDA_SUCCESS;
}
CUresult device_of(CUdevice* device, int ordinal) { return *device = ordinal, CUDA_SUCCESS; }
CUresult error_text(CUresult, const char** text) {
  return *text = "refused by the stand-in", CUDA_SUCCESS;
}
CUresult succeeds(...) { return CUDA_SUCCESS; }
CUresult refuses(...) { return CUDA_ERROR_NOT_SUPPORTED; }

template <typename Function>
void* pointer_to(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

extern "C" cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** entry, unsigned,
                                                        unsigned long long,
                                                        cudaDriverEntryPointQueryResult* result) {
  static const std::pair<std::string_view, void*> known[] = {
      {"cuMemAddressReserve", pointer_to(reserve)},
      {"cuMemAddressFree", pointer_to(succeeds)},
      {"cuMemCreate", pointer_to(create)},
      {"cuMemRelease", pointer_to(release)},
      {"cuMemMap", pointer_to(succeeds)},
      {"cuMemUnmap", pointer_to(succeeds)},
      {"cuMemSetAccess", pointer_to(succeeds)},
      {"cuMemGetAllocationGranularity", pointer_to(granularity)},
      {"cuDeviceGet", pointer_to(device_of)},
      {"cuDeviceGetAttribute", pointer_to(device_attribute)},
      {"cuGetErrorString", pointer_to(error_text)},
  };
  *entry = pointer_to(refuses);
  for (const auto& [each, function] : known) {
    if (each == name) *entry = function;
  }
  if (result != nullptr) *result = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}
