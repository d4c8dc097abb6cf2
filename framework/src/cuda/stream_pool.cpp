// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "stream_pool.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <headroom/core/error.hpp>
#include <headroom/cuda/cuda_error.hpp>

namespace headroom::cuda {
namespace {

constexpr const char* own_name = "stream-ordered pool of the CUDA driver";

bytes to_bytes(std::uint64_t value) { return bytes{static_cast<std::int64_t>(value)}; }

bytes pool_value(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t value = 0;
  HEADROOM_CUDA_CHECK(cudaMemPoolGetAttribute(pool, which, &value));
  return to_bytes(value);
}

bytes graph_value(int index, cudaGraphMemAttributeType which) {
  std::uint64_t value = 0;
  HEADROOM_CUDA_CHECK(cudaDeviceGetGraphMemAttribute(index, which, &value));
  return to_bytes(value);
}

cudaMemPool_t default_pool(int index) {
  int supported = 0;
  HEADROOM_CUDA_CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, index));
  if (supported == 0) {
    throw device_error(
        fmt::format("allocator cuda-async: cuda:{} has no stream-ordered pools; write caching or "
                    "plain",
                    index));
  }
  cudaMemPool_t pool = nullptr;
  HEADROOM_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, index));
  return pool;
}

}  // namespace

stream_pool::stream_pool(int index, const segment_source& segments, event_clock& clock)
    : index_(index), segments_(segments), clock_(clock), pool_(default_pool(index)) {
  HEADROOM_CUDA_CHECK(
      cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &threshold_before_));
  std::uint64_t keep_all = UINT64_MAX;
  HEADROOM_CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep_all));
  reset_peaks();
}

stream_pool::~stream_pool() {
  report(cudaSetDevice(index_), "cudaSetDevice");
  for (const auto& [address, block] : live_) report(cudaFree(address), "cudaFree");
  report(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &threshold_before_),
         "cudaMemPoolSetAttribute");
  report(cudaMemPoolTrimTo(pool_, 0), "cudaMemPoolTrimTo");
}

cudaError_t stream_pool::ask(void*& address, bytes requested, stream_id stream) const {
  const cudaError_t result = cudaMallocFromPoolAsync(
      &address, static_cast<std::size_t>(requested.n), pool_, clock_.native(stream));
  if (result == cudaErrorMemoryAllocation) (void)cudaGetLastError();
  return result;
}

void stream_pool::trim() const {
  HEADROOM_CUDA_CHECK(cudaDeviceSynchronize());
  HEADROOM_CUDA_CHECK(cudaMemPoolTrimTo(pool_, 0));
  HEADROOM_CUDA_CHECK(cudaDeviceGraphMemTrim(index_));
}

allocation stream_pool::allocate(bytes requested, stream_id stream, tag what) {
  if (requested.n == 0) return {};
  if (requested.n < 0) {
    throw usage_error(fmt::format("asked for {} B; a request is zero bytes or more", requested.n));
  }
  HEADROOM_CUDA_CHECK(cudaSetDevice(index_));
  const std::lock_guard hold(mutex_);
  live_.reserve(live_.size() + 1);
  void* address = nullptr;
  cudaError_t result = ask(address, requested, stream);
  if (result == cudaErrorMemoryAllocation) {
    trim();
    ++retries_;
    result = ask(address, requested, stream);
  }
  if (result == cudaErrorMemoryAllocation) {
    ++refusals_;
    throw out_of_memory(facts_of(requested, what));
  }
  check(result, "cudaMallocFromPoolAsync");
  try {
    live_.emplace(address, live_block{requested, stream, {}});
  } catch (...) {
    report(cudaFreeAsync(address, clock_.native(stream)), "cudaFreeAsync");
    throw;
  }
  requested_.add(requested);
  return {address, requested, requested, nullptr};
}

void stream_pool::deallocate(const allocation& freed) noexcept {
  if (freed.address == nullptr) return;
  const std::lock_guard hold(mutex_);
  const auto found = live_.find(freed.address);
  if (found == live_.end()) {
    std::fprintf(stderr, "headroom: a block at %p was given back that is not live; it is ignored\n",
                 freed.address);
    return;
  }
  report(cudaSetDevice(index_), "cudaSetDevice");
  const live_block& block = found->second;
  try {
    for (const stream_id use : block.uses) clock_.wait(clock_.record(use));
    report(cudaFreeAsync(freed.address, clock_.native(block.stream)), "cudaFreeAsync");
  } catch (const std::exception& broken) {
    std::fprintf(stderr, "headroom: a block could not be given back in order: %s\n", broken.what());
    report(cudaFree(freed.address), "cudaFree");
  }
  requested_.current -= block.requested;
  live_.erase(found);
}

void stream_pool::record_use(const allocation& used, stream_id stream) {
  if (used.address == nullptr) return;
  const std::lock_guard hold(mutex_);
  const auto found = live_.find(used.address);
  if (found == live_.end()) {
    throw usage_error("a use was recorded of a block that is not live");
  }
  if (found->second.stream == stream) return;
  for (const stream_id known : found->second.uses) {
    if (known == stream) return;
  }
  found->second.uses.push_back(stream);
}

bytes stream_pool::empty_cache() {
  HEADROOM_CUDA_CHECK(cudaSetDevice(index_));
  const std::lock_guard hold(mutex_);
  const auto held = [this] {
    const pool_levels now = levels();
    return now.reserved.current + now.graph_reserved.current;
  };
  const bytes before = held();
  trim();
  return before - held();
}

allocator_description stream_pool::describe() const {
  return {own_name, {{"pool", "default"}, {"release_threshold", "unlimited"}}};
}

pool_levels stream_pool::levels() const {
  pool_levels now;
  now.used = {pool_value(pool_, cudaMemPoolAttrUsedMemCurrent),
              pool_value(pool_, cudaMemPoolAttrUsedMemHigh)};
  now.reserved = {pool_value(pool_, cudaMemPoolAttrReservedMemCurrent),
                  pool_value(pool_, cudaMemPoolAttrReservedMemHigh)};
  now.graph_used = {graph_value(index_, cudaGraphMemAttrUsedMemCurrent),
                    graph_value(index_, cudaGraphMemAttrUsedMemHigh)};
  now.graph_reserved = {graph_value(index_, cudaGraphMemAttrReservedMemCurrent),
                        graph_value(index_, cudaGraphMemAttrReservedMemHigh)};
  return now;
}

source_description stream_pool::describe_counters() const {
  const std::lock_guard hold(mutex_);
  source_description all{.name = own_name, .coverage = {}};
  const bool bound = marks_.graphs_ever();
  for (const counter_id id : all_counters) {
    const bool peak = id == counter_id::allocated_peak || id == counter_id::reserved_peak;
    const bool allocated = id == counter_id::allocated_current || id == counter_id::allocated_peak;
    all[id] = {
        .available = true,
        .exact = !(peak && bound),
        .covers = fmt::format(
            "{} of the device's default pool, by anyone in this process, and of its graphs{}; not "
            "what cudaMalloc gave",
            allocated ? "blocks in use" : "memory held",
            peak && bound ? " (two high marks added up, which may be of two moments: a bound)"
                          : "")};
  }
  return all;
}

source_reading stream_pool::read() const {
  const std::lock_guard hold(mutex_);
  source_reading all = marks_.reading_of(levels());
  all.requested_current = requested_.current;
  all.requested_peak = requested_.peak;
  all.retries = retries_;
  all.refusals = refusals_;
  return all;
}

void stream_pool::reset_peaks() {
  const std::lock_guard hold(mutex_);
  std::uint64_t zero = 0;
  HEADROOM_CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &zero));
  HEADROOM_CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReservedMemHigh, &zero));
  HEADROOM_CUDA_CHECK(cudaDeviceSetGraphMemAttribute(index_, cudaGraphMemAttrUsedMemHigh, &zero));
  HEADROOM_CUDA_CHECK(
      cudaDeviceSetGraphMemAttribute(index_, cudaGraphMemAttrReservedMemHigh, &zero));
  marks_.reset(levels());
  requested_.reset_peak();
}

out_of_memory_facts stream_pool::facts_of(bytes requested, tag what) const {
  const source_reading now = marks_.reading_of(levels());
  memory_counters held;
  held.allocated = {*now[counter_id::allocated_current], *now[counter_id::allocated_peak]};
  held.reserved = {*now[counter_id::reserved_current], *now[counter_id::reserved_peak]};
  held.requested = requested_;
  return {requested,
          requested,
          what,
          held,
          segments_.capacity(),
          segments_.free_now(),
          segments_.device_id()};
}

}  // namespace headroom::cuda
