// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/report/chart_svg.hpp>
#include <vector>

namespace headroom {

/// A level after each of any number of events, in constant memory: neighbouring events share a
/// bucket that keeps their lowest and highest level, so no peak is lost.
class level_history {
 public:
  /// @param most_buckets even, above zero
  explicit level_history(std::size_t most_buckets = 1000) : most_(most_buckets) {}

  void add(bytes level) {
    if (filled_ == width_) next_bucket(level);
    bucket& now = buckets_.back();
    if (level < now.lowest) now.lowest = level;
    if (now.highest < level) now.highest = level;
    ++filled_;
  }

  /// The highest level of each bucket; x counts events from 0.
  [[nodiscard]] std::vector<chart_point> highest() const { return corners(&bucket::highest); }
  /// The lowest of each; empty while a bucket is one event.
  [[nodiscard]] std::vector<chart_point> lowest() const {
    return width_ == 1 ? std::vector<chart_point>{} : corners(&bucket::lowest);
  }
  [[nodiscard]] std::uint64_t events_in_a_bucket() const { return width_; }

 private:
  struct bucket {
    bytes lowest;
    bytes highest;
  };
  void next_bucket(bytes level);
  [[nodiscard]] std::vector<chart_point> corners(bytes bucket::*edge) const;

  std::size_t most_;
  std::vector<bucket> buckets_;
  std::uint64_t width_ = 1;   ///< events of one bucket
  std::uint64_t filled_ = 1;  ///< events of the last one
};

}  // namespace headroom
