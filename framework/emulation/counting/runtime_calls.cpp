// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The runtime's calls. Declared here, as the two majors have them in common: results are numbers,
// handles are pointers.
#include <cstddef>

#include "counted_call.hpp"

using namespace headroom::counting;

namespace {

struct extent {
  std::size_t width, height, depth;
};
struct pitched_pointer {
  void* at;
  std::size_t pitch, width, height;
};

std::uint64_t number(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

int take_async(call which, void** at, std::size_t size, void* stream) {
  const std::uint64_t& taken = *reinterpret_cast<const std::uint64_t*>(at);
  return pooled_call(true, stream, nullptr, size, taken, [&] {
    return real<int(void**, std::size_t, void*)>(which)(at, size, stream);
  });
}

int take_from_pool(call which, void** at, std::size_t size, void* pool, void* stream) {
  const std::uint64_t& taken = *reinterpret_cast<const std::uint64_t*>(at);
  return pooled_call(true, stream, pool, size, taken, [&] {
    return real<int(void**, std::size_t, void*, void*)>(which)(at, size, pool, stream);
  });
}

int free_async(call which, void* at, void* stream) {
  return freeing_call(number(at), [&] { return real<int(void*, void*)>(which)(at, stream); });
}

int launch(call which, void* graph, void* stream) {
  return counted_call(
      true, 0, [&] { return real<int(void*, void*)>(which)(graph, stream); },
      [](ledger& books) { books.graph_launched(current_device(true), level::runtime); });
}

/// A call that takes memory whose size nobody says, or whose place changes.
template <class Call>
int uncounted(const char* name, Call body) {
  const nesting depth;
  const int answer = body();
  if (depth.outermost() && answer == success) tell_uncounted("libcudart", name);
  return answer;
}

}  // namespace

extern "C" {
int cudaMalloc(void** at, std::size_t size);
int cudaMallocPitch(void** at, std::size_t* pitch, std::size_t width, std::size_t height);
int cudaMalloc3D(pitched_pointer* at, extent size);
int cudaFree(void* at);
int cudaMallocAsync(void** at, std::size_t size, void* stream);
int cudaMallocAsync_ptsz(void** at, std::size_t size, void* stream);
int cudaMallocFromPoolAsync(void** at, std::size_t size, void* pool, void* stream);
int cudaMallocFromPoolAsync_ptsz(void** at, std::size_t size, void* pool, void* stream);
int cudaFreeAsync(void* at, void* stream);
int cudaFreeAsync_ptsz(void* at, void* stream);
int cudaMemPoolDestroy(void* pool);
int cudaMemPoolTrimTo(void* pool, std::size_t keep);
int cudaGraphLaunch(void* graph, void* stream);
int cudaGraphLaunch_ptsz(void* graph, void* stream);
int cudaDeviceGraphMemTrim(int device);
int cudaDeviceReset();
int cudaMallocManaged(void** at, std::size_t size, unsigned flags);
int cudaMallocArray(void** at, const void* format, std::size_t width, std::size_t height,
                    unsigned flags);
int cudaMalloc3DArray(void** at, const void* format, extent size, unsigned flags);
int cudaMallocMipmappedArray(void** at, const void* format, extent size, unsigned levels,
                             unsigned flags);
}

int cudaMalloc(void** at, std::size_t size) {
  return counted_call(
      true, size, [&] { return real<int(void**, std::size_t)>(call::cudaMalloc_)(at, size); },
      [&](ledger& books) { books.take(current_device(true), number(*at), size); });
}

int cudaMallocPitch(void** at, std::size_t* pitch, std::size_t width, std::size_t height) {
  return counted_call(
      true, width * height,
      [&] {
        return real<decltype(cudaMallocPitch)>(call::cudaMallocPitch_)(at, pitch, width, height);
      },
      [&](ledger& books) { books.take(current_device(true), number(*at), *pitch * height); });
}

int cudaMalloc3D(pitched_pointer* at, extent size) {
  const std::size_t rows = size.height * size.depth;
  return counted_call(
      true, size.width * rows,
      [&] { return real<decltype(cudaMalloc3D)>(call::cudaMalloc3D_)(at, size); },
      [&](ledger& books) { books.take(current_device(true), number(at->at), at->pitch * rows); });
}

int cudaFree(void* at) {
  return freeing_call(number(at), [&] { return real<int(void*)>(call::cudaFree_)(at); });
}

int cudaMallocAsync(void** at, std::size_t size, void* stream) {
  return take_async(call::cudaMallocAsync_, at, size, stream);
}
int cudaMallocAsync_ptsz(void** at, std::size_t size, void* stream) {
  return take_async(call::cudaMallocAsync_ptsz_, at, size, stream);
}
int cudaMallocFromPoolAsync(void** at, std::size_t size, void* pool, void* stream) {
  return take_from_pool(call::cudaMallocFromPoolAsync_, at, size, pool, stream);
}
int cudaMallocFromPoolAsync_ptsz(void** at, std::size_t size, void* pool, void* stream) {
  return take_from_pool(call::cudaMallocFromPoolAsync_ptsz_, at, size, pool, stream);
}
int cudaFreeAsync(void* at, void* stream) { return free_async(call::cudaFreeAsync_, at, stream); }
int cudaFreeAsync_ptsz(void* at, void* stream) {
  return free_async(call::cudaFreeAsync_ptsz_, at, stream);
}

int cudaMemPoolDestroy(void* pool) {
  {
    // While it can be asked.
    const std::lock_guard lock(ledger::guard());
    if (ledger* const books = ledger::get()) books->refresh();
  }
  return counted_call(
      true, 0, [&] { return real<int(void*)>(call::cudaMemPoolDestroy_)(pool); },
      [&](ledger& books) { books.pool_destroyed(pool); });
}

int cudaMemPoolTrimTo(void* pool, std::size_t keep) {
  return counted_call(
      true, 0, [&] { return real<int(void*, std::size_t)>(call::cudaMemPoolTrimTo_)(pool, keep); },
      [](ledger& books) { books.refresh(); });
}

int cudaGraphLaunch(void* graph, void* stream) {
  return launch(call::cudaGraphLaunch_, graph, stream);
}
int cudaGraphLaunch_ptsz(void* graph, void* stream) {
  return launch(call::cudaGraphLaunch_ptsz_, graph, stream);
}

int cudaDeviceGraphMemTrim(int device) {
  return counted_call(
      true, 0, [&] { return real<int(int)>(call::cudaDeviceGraphMemTrim_)(device); },
      [](ledger& books) { books.refresh(); });
}

int cudaDeviceReset() {
  return counted_call(
      true, 0, [] { return real<int()>(call::cudaDeviceReset_)(); },
      [](ledger& books) { books.reset(current_device(true)); });
}

int cudaMallocManaged(void** at, std::size_t size, unsigned flags) {
  return uncounted("cudaMallocManaged", [&] {
    return real<decltype(cudaMallocManaged)>(call::cudaMallocManaged_)(at, size, flags);
  });
}

int cudaMallocArray(void** at, const void* format, std::size_t width, std::size_t height,
                    unsigned flags) {
  return uncounted("cudaMallocArray", [&] {
    return real<decltype(cudaMallocArray)>(call::cudaMallocArray_)(at, format, width, height,
                                                                   flags);
  });
}
int cudaMalloc3DArray(void** at, const void* format, extent size, unsigned flags) {
  return uncounted("cudaMalloc3DArray", [&] {
    return real<decltype(cudaMalloc3DArray)>(call::cudaMalloc3DArray_)(at, format, size, flags);
  });
}
int cudaMallocMipmappedArray(void** at, const void* format, extent size, unsigned levels,
                             unsigned flags) {
  return uncounted("cudaMallocMipmappedArray", [&] {
    return real<decltype(cudaMallocMipmappedArray)>(call::cudaMallocMipmappedArray_)(
        at, format, size, levels, flags);
  });
}
