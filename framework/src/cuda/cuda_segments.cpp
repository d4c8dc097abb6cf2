// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "cuda_segments.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <headroom/cuda/cuda_error.hpp>

#include "driver_calls.hpp"

namespace headroom::cuda {
namespace {

std::size_t count(bytes size) { return static_cast<std::size_t>(size.n); }

CUmemAllocationProp memory_on(int index) {
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  wanted.location.id = index;
  return wanted;
}

}  // namespace

cuda_segments::cuda_segments(int index, bytes capacity) : index_(index), capacity_(capacity) {}

void* cuda_segments::take(bytes size) {
  void* address = nullptr;
  HEADROOM_CUDA_CHECK(cudaSetDevice(index_));
  const cudaError_t result = cudaMalloc(&address, count(size));
  if (result == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    return nullptr;
  }
  check(result, "cudaMalloc");
  return address;
}

void cuda_segments::give_back(void* address, bytes) noexcept {
  report(cudaSetDevice(index_), "cudaSetDevice");
  report(cudaFree(address), "cudaFree");
}

bool cuda_segments::has_ranges() const { return driver().complete(); }

void* cuda_segments::reserve_range(bytes size) {
  CUdeviceptr address = 0;
  if (driver().address_reserve(&address, count(size), 0, 0, 0) != CUDA_SUCCESS) return nullptr;
  return reinterpret_cast<void*>(address);
}

void cuda_segments::release_range(void* address, bytes size) noexcept {
  if (driver().address_free(reinterpret_cast<CUdeviceptr>(address), count(size)) != CUDA_SUCCESS) {
    std::fprintf(stderr, "headroom: cuMemAddressFree failed\n");
  }
}

bool cuda_segments::map(void* address, bytes size) {
  using namespace headroom::literals;
  // The driver takes memory away again as it was put there, whole; the allocator does so in its
  // pages, of 20 MiB or, in the small pool, of 2 MiB.
  const bytes page = size.n % (20_MiB).n == 0 ? 20_MiB : 2_MiB;
  for (bytes done; done < size; done += page) {
    if (map_page(static_cast<char*>(address) + done.n, page)) continue;
    unmap(address, done);
    return false;
  }
  return true;
}

bool cuda_segments::map_page(void* address, bytes size) {
  const driver_calls& calls = driver();
  const CUmemAllocationProp wanted = memory_on(index_);
  piece made{0, count(size)};
  if (calls.create(&made.handle, made.size, &wanted, 0) != CUDA_SUCCESS) return false;
  const auto at = reinterpret_cast<CUdeviceptr>(address);
  if (calls.map(at, made.size, 0, made.handle, 0) != CUDA_SUCCESS) {
    calls.release(made.handle);
    return false;
  }
  CUmemAccessDesc access{};
  access.location = wanted.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  if (calls.set_access(at, made.size, &access, 1) != CUDA_SUCCESS) {
    calls.unmap(at, made.size);
    calls.release(made.handle);
    return false;
  }
  pieces_.emplace(at, made);
  return true;
}

void cuda_segments::unmap(void* address, bytes size) noexcept {
  const driver_calls& calls = driver();
  const auto begin = reinterpret_cast<CUdeviceptr>(address);
  const CUdeviceptr end = begin + count(size);
  for (auto it = pieces_.lower_bound(begin); it != pieces_.end() && it->first < end;) {
    if (calls.unmap(it->first, it->second.size) != CUDA_SUCCESS ||
        calls.release(it->second.handle) != CUDA_SUCCESS) {
      std::fprintf(stderr, "headroom: memory behind a range could not be given back\n");
    }
    it = pieces_.erase(it);
  }
}

std::optional<bytes> cuda_segments::free_now() const {
  std::size_t free = 0;
  std::size_t total = 0;
  if (cudaSetDevice(index_) != cudaSuccess || cudaMemGetInfo(&free, &total) != cudaSuccess) {
    (void)cudaGetLastError();
    return std::nullopt;
  }
  return bytes{static_cast<std::int64_t>(free)};
}

std::string cuda_segments::device_id() const { return fmt::format("cuda:{}", index_); }

}  // namespace headroom::cuda
