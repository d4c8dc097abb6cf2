// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <headroom/core/bytes.hpp>
#include <headroom/device/counter_source.hpp>

namespace headroom::cuda {

/// Current level and high mark, as the driver gives them.
struct pool_level {
  bytes current;
  bytes high;
};

/// The levels of one device: its pool, and the memory that its graphs allocate apart from it.
struct pool_levels {
  pool_level used;
  pool_level reserved;
  pool_level graph_used;
  pool_level graph_reserved;
};

/// The driver's high marks can only be set to zero, where they stay until something is allocated;
/// and the pool and the graphs have marks of their own, whose sum may be of no one moment. This
/// keeps what makes peaks of them that are never below what is live.
class pool_marks {
 public:
  /// Called after the driver's marks were set to zero. @param now read after that
  void reset(const pool_levels& now) {
    at_reset_ = now;
    graphs_ever_ = graphs_ever_ || has_graphs(now);
  }

  /// Whether graphs have taken memory: peaks are then a bound, two pools' marks added up.
  [[nodiscard]] bool graphs_ever() const { return graphs_ever_; }

  [[nodiscard]] source_reading reading_of(const pool_levels& now) {
    graphs_ever_ = graphs_ever_ || has_graphs(now);
    source_reading all;
    all[counter_id::allocated_current] = now.used.current + now.graph_used.current;
    all[counter_id::allocated_peak] =
        peak(now.used, at_reset_.used) + peak(now.graph_used, at_reset_.graph_used);
    all[counter_id::reserved_current] = now.reserved.current + now.graph_reserved.current;
    all[counter_id::reserved_peak] =
        peak(now.reserved, at_reset_.reserved) + peak(now.graph_reserved, at_reset_.graph_reserved);
    return all;
  }

 private:
  [[nodiscard]] static bytes peak(const pool_level& now, const pool_level& at_reset) {
    return std::max({now.high, now.current, at_reset.current});
  }
  [[nodiscard]] static bool has_graphs(const pool_levels& now) {
    return now.graph_used.high.n > 0 || now.graph_used.current.n > 0 ||
           now.graph_reserved.current.n > 0 || now.graph_reserved.high.n > 0;
  }

  pool_levels at_reset_;
  bool graphs_ever_ = false;
};

}  // namespace headroom::cuda
