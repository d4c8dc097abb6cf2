// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/core/counters.hpp>
#include <headroom/core/tag.hpp>
#include <headroom/device/allocator.hpp>
#include <headroom/device/allocator_settings.hpp>
#include <headroom/device/counted_allocator.hpp>
#include <headroom/device/counter_source.hpp>
#include <headroom/device/segment_source.hpp>
#include <headroom/device/stream.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace headroom {

namespace caching {
class engine;
}

/// All that a caching allocator counts, read at one moment.
struct caching_statistics {
  memory_counters counters;
  bytes active;  ///< bytes in blocks that are live, or freed and still used by another stream
  std::int64_t segments = 0;     ///< segments held from the driver; expandable ones are not counted
  std::int64_t retries = 0;      ///< give-back-and-try-again, since the allocator was made
  std::int64_t refusals = 0;     ///< requests that failed, since the allocator was made
  std::int64_t allocations = 0;  ///< blocks handed out, since the allocator was made
  tag_table by_tag;              ///< allocated bytes of each tag
  peak_moment at_allocated_peak;
};

/// Where a block lies.
struct block_place {
  std::uint64_t segment = 0;  ///< in the order in which segments were taken from the driver
  bytes offset;               ///< from the segment's begin
  friend bool operator==(const block_place&, const block_place&) = default;
};

enum class block_use {
  live,     ///< handed out
  pending,  ///< given back, and still used by another stream
  cached,   ///< free to be handed out
  unmapped  ///< addresses of an expandable segment without memory
};

/// One piece of a segment.
struct held_block {
  block_place place;
  bytes size;
  block_use use = block_use::cached;
  stream_id stream;
  bool small = false;  ///< of the pool of requests up to 1 MiB
};

/// The cached blocks of one pool: only requests of the same stream and kind may have them.
struct cached_pool {
  stream_id stream;
  bool small = false;  ///< the pool of requests up to 1 MiB
  std::int64_t blocks = 0;
  bytes total;
  bytes largest;
};

/// Caches device memory by the rules that PyTorch publishes for its CUDA caching allocator, so that
/// figures compare: rounding to 512 bytes, a small and a large pool for each stream, best fit,
/// splitting and merging, give-back-and-retry. Among equal free blocks the one of the oldest
/// segment, and there the lowest, is taken; the driver's addresses change nothing.
/// Thread-safe; takes one lock a call.
class caching_allocator final : public counted_allocator {
 public:
  /// @param source, clock  must outlive the allocator
  /// @throws usage_error when the settings need what the source does not have
  caching_allocator(segment_source& source, stream_clock& clock, allocator_settings settings = {});
  /// Gives every segment back, those with live blocks too.
  ~caching_allocator() override;
  caching_allocator(const caching_allocator&) = delete;
  caching_allocator& operator=(const caching_allocator&) = delete;

  [[nodiscard]] allocation allocate(bytes requested, stream_id stream, tag what) override;
  void deallocate(const allocation& block) noexcept override;
  void record_use(const allocation& block, stream_id stream) override;
  bytes empty_cache() override;
  [[nodiscard]] allocator_description describe() const override;

  [[nodiscard]] source_description describe_counters() const override;
  [[nodiscard]] source_reading read() const override;
  void reset_peaks() override;

  [[nodiscard]] caching_statistics statistics() const;
  /// What is cached now, of each pool that has cached blocks. Looks at every block.
  [[nodiscard]] std::vector<cached_pool> cached() const;
  /// The whole map of memory: all pieces of all segments, by (segment, offset).
  [[nodiscard]] std::vector<held_block> blocks() const;
  /// Absent for the null block. @param block live
  [[nodiscard]] std::optional<block_place> place_of(const allocation& block) const;

 private:
  std::unique_ptr<caching::engine> engine_;
};

}  // namespace headroom
