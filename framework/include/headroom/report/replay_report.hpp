// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <headroom/core/bytes.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/tag.hpp>
#include <headroom/device/allocator_settings.hpp>
#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/replay.hpp>
#include <headroom/device/trace_reader.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// What a trace is replayed on. Figures are predictions.
struct replay_plan {
  std::string device;  ///< for messages: "plan:24GB"
  bytes capacity;
  allocator_settings settings;
};

/// Both levels right after one event.
struct replay_moment {
  std::uint64_t event = 0;  ///< from 0
  bytes allocated;
  bytes reserved;
};

struct block_sum {
  std::int64_t blocks = 0;
  bytes allocated;
};

/// The blocks that were alive at one moment.
struct live_summary {
  block_sum all;
  std::array<block_sum, tag_count> by_tag;
  std::vector<traced_block> largest;  ///< at most ten: largest first, among equals the oldest first
};

/// The first request that failed, and what was cached at that moment.
struct refused_request {
  std::uint64_t event = 0;
  int line = 0;  ///< of the trace
  stream_id stream;
  out_of_memory_facts facts;
  std::vector<cached_pool> cached;
};

/// What became of one replay.
struct replay_report {
  std::uint64_t events = 0;
  std::uint64_t allocations = 0;
  replay_moment
      allocated_peak;           ///< of the whole trace: its resets of the peaks change nothing here
  replay_moment reserved_peak;  ///< `reserved` is the highest level, also within the event
  live_summary at_allocated_peak;
  bytes most_requested;  ///< the most bytes asked for and not freed at one moment, had none failed
  std::int64_t retries = 0;
  std::int64_t refusals = 0;
  std::optional<refused_request> first_refusal;

  /// No request failed. Where one did, the peaks are partial: not what the trace needs.
  [[nodiscard]] bool fits() const { return refusals == 0; }
};

/// Called after every event, for lines and charts.
using replay_watcher =
    std::function<void(const trace_event&, const replay_step&, const caching_allocator&)>;

/// Replays the whole trace. Memory follows the blocks that are live.
/// @throws trace_error, usage_error for a capacity that is not above zero
[[nodiscard]] replay_report replay_trace(trace_reader& trace, const replay_plan& plan,
                                         const replay_watcher& watcher = {});

/// Whether no request fails; stops at the first that does. @throws as replay_trace
[[nodiscard]] bool trace_fits(trace_reader& trace, const replay_plan& plan);

}  // namespace headroom
