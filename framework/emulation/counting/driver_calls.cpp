// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The driver's calls. What the runtime itself asks of the driver is counted as the runtime's.
#include <cstddef>

#include "counted_call.hpp"

using namespace headroom::counting;

namespace {

using device_pointer = unsigned long long;
using memory_handle = unsigned long long;

/// As far as it is read: CUmemAllocationProp.
struct allocation_properties {
  int type, handle_types, location_type, location_id;
};
constexpr int on_a_device = 1;

int take_async(call which, device_pointer* at, std::size_t size, void* stream) {
  const std::uint64_t& taken = *reinterpret_cast<const std::uint64_t*>(at);
  return pooled_call(false, stream, nullptr, size, taken, [&] {
    return real<int(device_pointer*, std::size_t, void*)>(which)(at, size, stream);
  });
}

int take_from_pool(call which, device_pointer* at, std::size_t size, void* pool, void* stream) {
  const std::uint64_t& taken = *reinterpret_cast<const std::uint64_t*>(at);
  return pooled_call(false, stream, pool, size, taken, [&] {
    return real<int(device_pointer*, std::size_t, void*, void*)>(which)(at, size, pool, stream);
  });
}

int free_async(call which, device_pointer at, void* stream) {
  return freeing_call(at, [&] { return real<int(device_pointer, void*)>(which)(at, stream); });
}

int launch(call which, void* graph, void* stream) {
  return counted_call(
      false, 0, [&] { return real<int(void*, void*)>(which)(graph, stream); },
      [](ledger& books) { books.graph_launched(current_device(false), level::driver); });
}

bool context_ended(int device) {
  unsigned flags = 0;
  int active = 1;
  using state = int(int, unsigned*, int*);
  return real<state>(call::cuDevicePrimaryCtxGetState_)(device, &flags, &active) == success &&
         active == 0;
}

template <class Call>
int uncounted(const char* name, Call body) {
  const nesting depth;
  const int answer = body();
  if (depth.outermost() && answer == success) tell_uncounted("libcuda", name);
  return answer;
}

}  // namespace

extern "C" {
int cuMemAlloc_v2(device_pointer* at, std::size_t size);
int cuMemAllocPitch_v2(device_pointer* at, std::size_t* pitch, std::size_t width,
                       std::size_t height, unsigned element);
int cuMemFree_v2(device_pointer at);
int cuMemAllocAsync(device_pointer* at, std::size_t size, void* stream);
int cuMemAllocAsync_ptsz(device_pointer* at, std::size_t size, void* stream);
int cuMemAllocFromPoolAsync(device_pointer* at, std::size_t size, void* pool, void* stream);
int cuMemAllocFromPoolAsync_ptsz(device_pointer* at, std::size_t size, void* pool, void* stream);
int cuMemFreeAsync(device_pointer at, void* stream);
int cuMemFreeAsync_ptsz(device_pointer at, void* stream);
int cuMemPoolDestroy(void* pool);
int cuMemPoolTrimTo(void* pool, std::size_t keep);
int cuGraphLaunch(void* graph, void* stream);
int cuGraphLaunch_ptsz(void* graph, void* stream);
int cuDeviceGraphMemTrim(int device);
int cuDevicePrimaryCtxReset_v2(int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuMemCreate(memory_handle* handle, std::size_t size, const void* wanted,
                unsigned long long flags);
int cuMemRelease(memory_handle handle);
int cuMemRetainAllocationHandle(memory_handle* handle, void* at);
int cuMemMap(device_pointer at, std::size_t size, std::size_t offset, memory_handle handle,
             unsigned long long flags);
int cuMemUnmap(device_pointer at, std::size_t size);
int cuMemAllocManaged(device_pointer* at, std::size_t size, unsigned flags);
int cuArrayCreate_v2(void** array, const void* what);
int cuArray3DCreate_v2(void** array, const void* what);
int cuMipmappedArrayCreate(void** array, const void* what, unsigned levels);
}

int cuMemAlloc_v2(device_pointer* at, std::size_t size) {
  return counted_call(
      false, size, [&] { return real<decltype(cuMemAlloc_v2)>(call::cuMemAlloc_v2_)(at, size); },
      [&](ledger& books) { books.take(current_device(false), *at, size); });
}

int cuMemAllocPitch_v2(device_pointer* at, std::size_t* pitch, std::size_t width,
                       std::size_t height, unsigned element) {
  return counted_call(
      false, width * height,
      [&] {
        return real<decltype(cuMemAllocPitch_v2)>(call::cuMemAllocPitch_v2_)(at, pitch, width,
                                                                             height, element);
      },
      [&](ledger& books) { books.take(current_device(false), *at, *pitch * height); });
}

int cuMemFree_v2(device_pointer at) {
  return freeing_call(at, [&] { return real<int(device_pointer)>(call::cuMemFree_v2_)(at); });
}

int cuMemAllocAsync(device_pointer* at, std::size_t size, void* stream) {
  return take_async(call::cuMemAllocAsync_, at, size, stream);
}
int cuMemAllocAsync_ptsz(device_pointer* at, std::size_t size, void* stream) {
  return take_async(call::cuMemAllocAsync_ptsz_, at, size, stream);
}
int cuMemAllocFromPoolAsync(device_pointer* at, std::size_t size, void* pool, void* stream) {
  return take_from_pool(call::cuMemAllocFromPoolAsync_, at, size, pool, stream);
}
int cuMemAllocFromPoolAsync_ptsz(device_pointer* at, std::size_t size, void* pool, void* stream) {
  return take_from_pool(call::cuMemAllocFromPoolAsync_ptsz_, at, size, pool, stream);
}
int cuMemFreeAsync(device_pointer at, void* stream) {
  return free_async(call::cuMemFreeAsync_, at, stream);
}
int cuMemFreeAsync_ptsz(device_pointer at, void* stream) {
  return free_async(call::cuMemFreeAsync_ptsz_, at, stream);
}

int cuMemPoolDestroy(void* pool) {
  {
    const std::lock_guard lock(ledger::guard());
    if (ledger* const books = ledger::get()) books->refresh();
  }
  return counted_call(
      false, 0, [&] { return real<int(void*)>(call::cuMemPoolDestroy_)(pool); },
      [&](ledger& books) { books.pool_destroyed(pool); });
}

int cuMemPoolTrimTo(void* pool, std::size_t keep) {
  return counted_call(
      false, 0, [&] { return real<int(void*, std::size_t)>(call::cuMemPoolTrimTo_)(pool, keep); },
      [](ledger& books) { books.refresh(); });
}

int cuGraphLaunch(void* graph, void* stream) { return launch(call::cuGraphLaunch_, graph, stream); }
int cuGraphLaunch_ptsz(void* graph, void* stream) {
  return launch(call::cuGraphLaunch_ptsz_, graph, stream);
}

int cuDeviceGraphMemTrim(int device) {
  return counted_call(
      false, 0, [&] { return real<int(int)>(call::cuDeviceGraphMemTrim_)(device); },
      [](ledger& books) { books.refresh(); });
}

int cuDevicePrimaryCtxReset_v2(int device) {
  return counted_call(
      false, 0, [&] { return real<int(int)>(call::cuDevicePrimaryCtxReset_v2_)(device); },
      [&](ledger& books) { books.reset(device); });
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  return counted_call(
      false, 0, [&] { return real<int(int)>(call::cuDevicePrimaryCtxRelease_v2_)(device); },
      [&](ledger& books) {
        if (context_ended(device)) books.reset(device);
      });
}

int cuMemCreate(memory_handle* handle, std::size_t size, const void* wanted,
                unsigned long long flags) {
  const auto* const where = static_cast<const allocation_properties*>(wanted);
  return counted_call(
      false, size,
      [&] { return real<decltype(cuMemCreate)>(call::cuMemCreate_)(handle, size, wanted, flags); },
      [&](ledger& books) {
        if (where->location_type == on_a_device) books.create(where->location_id, *handle, size);
      });
}

int cuMemRelease(memory_handle handle) {
  return counted_call(
      false, 0, [&] { return real<int(memory_handle)>(call::cuMemRelease_)(handle); },
      [&](ledger& books) { books.release(handle); });
}

int cuMemRetainAllocationHandle(memory_handle* handle, void* at) {
  return counted_call(
      false, 0,
      [&] {
        return real<int(memory_handle*, void*)>(call::cuMemRetainAllocationHandle_)(handle, at);
      },
      [&](ledger& books) { books.retain(*handle); });
}

int cuMemMap(device_pointer at, std::size_t size, std::size_t offset, memory_handle handle,
             unsigned long long flags) {
  return counted_call(
      false, 0,
      [&] { return real<decltype(cuMemMap)>(call::cuMemMap_)(at, size, offset, handle, flags); },
      [&](ledger& books) { books.map(at, size, handle); });
}

int cuMemUnmap(device_pointer at, std::size_t size) {
  return counted_call(
      false, 0, [&] { return real<decltype(cuMemUnmap)>(call::cuMemUnmap_)(at, size); },
      [&](ledger& books) { books.unmap(at, size); });
}

int cuMemAllocManaged(device_pointer* at, std::size_t size, unsigned flags) {
  return uncounted("cuMemAllocManaged", [&] {
    return real<decltype(cuMemAllocManaged)>(call::cuMemAllocManaged_)(at, size, flags);
  });
}

int cuArrayCreate_v2(void** array, const void* what) {
  return uncounted("cuArrayCreate", [&] {
    return real<decltype(cuArrayCreate_v2)>(call::cuArrayCreate_v2_)(array, what);
  });
}
int cuArray3DCreate_v2(void** array, const void* what) {
  return uncounted("cuArray3DCreate", [&] {
    return real<decltype(cuArray3DCreate_v2)>(call::cuArray3DCreate_v2_)(array, what);
  });
}
int cuMipmappedArrayCreate(void** array, const void* what, unsigned levels) {
  return uncounted("cuMipmappedArrayCreate", [&] {
    return real<decltype(cuMipmappedArrayCreate)>(call::cuMipmappedArrayCreate_)(array, what,
                                                                                 levels);
  });
}
