// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <headroom/report/level_history.hpp>

namespace headroom {

void level_history::next_bucket(bytes level) {
  filled_ = 0;
  if (buckets_.size() == most_) {
    for (std::size_t i = 0; i < most_ / 2; ++i) {
      const bucket& first = buckets_[2 * i];
      const bucket& second = buckets_[2 * i + 1];
      buckets_[i] = {std::min(first.lowest, second.lowest),
                     std::max(first.highest, second.highest)};
    }
    buckets_.resize(most_ / 2);
    width_ *= 2;
  }
  buckets_.push_back({level, level});
}

std::vector<chart_point> level_history::corners(bytes bucket::*edge) const {
  std::vector<chart_point> result;
  double x = 0;
  for (const bucket& each : buckets_) {
    if (result.empty() || result.back().y != each.*edge) result.push_back({x, each.*edge});
    x += static_cast<double>(width_);
  }
  return result;
}

}  // namespace headroom
