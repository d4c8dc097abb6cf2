// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <headroom/core/counters.hpp>
#include <headroom/core/error.hpp>
#include <headroom/device/counted_allocator.hpp>
#include <headroom/device/segment_source.hpp>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "event_clock.hpp"
#include "pool_marks.hpp"

namespace headroom::cuda {

/// The driver's stream-ordered pool: the device's default one, so that what libraries take from it
/// is counted as well, and the memory of graphs with it. It keeps what it was given (its release
/// threshold is raised as long as the allocator lives), so that warm repeats are warm. Thread-safe.
class stream_pool final : public counted_allocator {
 public:
  /// @param segments for the device's facts only
  /// @param clock    has the device's streams; both must outlive the allocator
  /// @throws device_error when the device has no such pools
  stream_pool(int index, const segment_source& segments, event_clock& clock);
  /// Gives live blocks back, and the pool its release threshold.
  ~stream_pool() override;
  stream_pool(const stream_pool&) = delete;
  stream_pool& operator=(const stream_pool&) = delete;

  /// When the driver refuses, waits for the device, trims the pool and asks once more.
  [[nodiscard]] allocation allocate(bytes requested, stream_id stream, tag what) override;
  void deallocate(const allocation& block) noexcept override;
  void record_use(const allocation& block, stream_id stream) override;
  /// Waits for the device, then trims the pool and the graphs' memory.
  bytes empty_cache() override;
  [[nodiscard]] allocator_description describe() const override;

  [[nodiscard]] source_description describe_counters() const override;
  [[nodiscard]] source_reading read() const override;
  void reset_peaks() override;

 private:
  struct live_block {
    bytes requested;
    stream_id stream;
    std::vector<stream_id> uses;
  };

  [[nodiscard]] cudaError_t ask(void*& address, bytes requested, stream_id stream) const;
  void trim() const;
  [[nodiscard]] pool_levels levels() const;
  [[nodiscard]] out_of_memory_facts facts_of(bytes requested, tag what) const;

  int index_;
  const segment_source& segments_;
  event_clock& clock_;
  cudaMemPool_t pool_ = nullptr;
  std::uint64_t threshold_before_ = 0;
  mutable std::mutex mutex_;
  std::unordered_map<void*, live_block> live_;
  counter requested_;
  mutable pool_marks marks_;  ///< reading notes what graphs have taken
  std::int64_t retries_ = 0;
  std::int64_t refusals_ = 0;
};

}  // namespace headroom::cuda
