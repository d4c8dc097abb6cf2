// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/counters.hpp>
#include <headroom/core/tag.hpp>
#include <headroom/device/caching_allocator.hpp>

namespace headroom::caching {

/// The counters of one allocator, and what was held at the moment of the allocated peak.
class ledger {
 public:
  /// A block is handed out.
  void hand_out(bytes size, bytes requested, tag what) {
    held_.counters.allocated.current += size;
    held_.by_tag[what] += size;
    held_.counters.requested.add(requested);
    held_.active += size;
    ++held_.allocations;
    if (held_.counters.allocated.peak < held_.counters.allocated.current) {
      held_.counters.allocated.peak = held_.counters.allocated.current;
      reserved_at_peak_ = held_.counters.reserved.current;
      at_peak_ = true;
    }
  }
  /// A block comes back; it leaves `allocated` at once.
  void take_back(bytes size, tag what) {
    // The table is copied here, when the peak has stopped growing, not at each new high.
    if (at_peak_) {
      tags_at_peak_ = held_.by_tag;
      at_peak_ = false;
    }
    held_.counters.allocated.current -= size;
    held_.by_tag[what] -= size;
  }
  /// A block that came back is no longer used by any stream.
  void release(bytes size, bytes requested) {
    held_.counters.requested.current -= requested;
    held_.active -= size;
  }
  void reserve(bytes size) { held_.counters.reserved.add(size); }
  void unreserve(bytes size) { held_.counters.reserved.current -= size; }
  void count_segment(std::int64_t change) { held_.segments += change; }
  void count_retry() { ++held_.retries; }
  void count_refusal() { ++held_.refusals; }

  /// Peaks restart at what is live.
  void reset_peaks() {
    held_.counters.allocated.reset_peak();
    held_.counters.reserved.reset_peak();
    held_.counters.requested.reset_peak();
    reserved_at_peak_ = held_.counters.reserved.current;
    at_peak_ = true;
  }

  [[nodiscard]] bytes reserved() const { return held_.counters.reserved.current; }
  [[nodiscard]] const memory_counters& counters() const { return held_.counters; }
  [[nodiscard]] caching_statistics read() const {
    caching_statistics all = held_;
    all.at_allocated_peak = {held_.counters.allocated.peak, reserved_at_peak_,
                             at_peak_ ? held_.by_tag : tags_at_peak_};
    return all;
  }

 private:
  caching_statistics held_;  ///< at_allocated_peak is filled in when read
  bytes reserved_at_peak_;
  tag_table tags_at_peak_;  ///< valid where at_peak_ is false
  bool at_peak_ = true;     ///< allocated has not fallen since its peak
};

}  // namespace headroom::caching
