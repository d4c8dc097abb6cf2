// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/virtual_memory.hpp"

#include <cstring>

#include "../card/calls.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

CUresult cuMemAddressReserve(CUdeviceptr* at, std::size_t size, std::size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return answer_in_context(call::cuMemAddressReserve_, [&](context_session& now) {
    if (at == nullptr || flags != 0) return result::invalid_value;
    address begin = 0;
    const result verdict = now.all.ranges->reserve(size, alignment, begin);
    if (verdict == result::success) *at = begin;
    return verdict;
  });
}

CUresult cuMemAddressFree(CUdeviceptr at, std::size_t size) {
  return answer(call::cuMemAddressFree_,
                [&](session& now) { return now.all.ranges->free(at, size); });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t size,
                     const CUmemAllocationProp* wanted, unsigned long long flags) {
  return answer_in_context(call::cuMemCreate_, [&](context_session& now) {
    if (handle == nullptr || wanted == nullptr || flags != 0 ||
        wanted->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
      return result::invalid_value;
    }
    // Memory that could be shared is taken as any other; sharing it is what is refused.
    if ((wanted->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0) {
      note_gap("cuMemCreate of memory for other machines");
      return result::not_supported;
    }
    if (wanted->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
      note_gap("cuMemCreate of host memory");
      return result::not_supported;
    }
    const int number = wanted->location.id;
    if (number < 0 || number >= now.all.visible) {
      return result::invalid_device;
    }
    return now.all.ranges->create(*now.all.devices[static_cast<std::size_t>(number)], size,
                                  *handle);
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return answer(call::cuMemRelease_, [&](session& now) { return now.all.ranges->release(handle); });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* at) {
  return answer(call::cuMemRetainAllocationHandle_, [&](session& now) {
    if (handle == nullptr) return result::invalid_value;
    return now.all.ranges->retain(reinterpret_cast<address>(at), *handle);
  });
}

CUresult cuMemMap(CUdeviceptr at, std::size_t size, std::size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return answer(call::cuMemMap_, [&](session& now) {
    if (flags != 0) return result::invalid_value;
    return now.all.ranges->map(at, size, offset, handle);
  });
}

CUresult cuMemUnmap(CUdeviceptr at, std::size_t size) {
  return answer(call::cuMemUnmap_,
                [&](session& now) { return now.all.ranges->unmap(now.lock, at, size); });
}

CUresult cuMemSetAccess(CUdeviceptr at, std::size_t size, const CUmemAccessDesc* wanted,
                        std::size_t count) {
  return answer(call::cuMemSetAccess_, [&](session& now) {
    if (wanted == nullptr || count == 0) return result::invalid_value;
    for (std::size_t i = 0; i < count; ++i) {
      if (wanted[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE) return result::not_supported;
      const result verdict = now.all.ranges->set_access(at, size, wanted[i].location.id,
                                                        static_cast<unsigned>(wanted[i].flags));
      if (verdict != result::success) return verdict;
    }
    return result::success;
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr at) {
  return answer(call::cuMemGetAccess_, [&](session& now) {
    if (flags == nullptr || location == nullptr) return result::invalid_value;
    *flags = now.all.ranges->access(at, location->id);
    return result::success;
  });
}

CUresult cuMemGetAllocationGranularity(std::size_t* size, const CUmemAllocationProp* wanted,
                                       CUmemAllocationGranularity_flags) {
  return answer(call::cuMemGetAllocationGranularity_, [&](session&) {
    if (size == nullptr || wanted == nullptr) return result::invalid_value;
    *size = granularity;
    return result::success;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  return answer(call::cuMemGetAllocationPropertiesFromHandle_, [&](session& now) {
    const physical_memory* found = now.all.ranges->find(handle);
    if (properties == nullptr || found == nullptr) return result::invalid_value;
    std::memset(properties, 0, sizeof *properties);
    properties->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties->location = {CU_MEM_LOCATION_TYPE_DEVICE, found->device};
    return result::success;
  });
}

CUresult cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle,
                                      CUmemAllocationHandleType, unsigned long long) {
  return answer(call::cuMemExportToShareableHandle_, [](session&) {
    note_gap("sharing memory with another process");
    return result::not_supported;
  });
}
