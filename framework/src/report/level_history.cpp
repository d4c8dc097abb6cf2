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
      buckets_[i] = {std::min(first.lowest, second.lowest), std::max(first.highest, second.highest),
                     second.last};
    }
    buckets_.resize(most_ / 2);
    width_ *= 2;
  }
  buckets_.push_back({level, level, level});
}

std::vector<chart_point> level_history::points() const {
  std::vector<chart_point> corners;
  const auto add = [&](double x, bytes y) {
    if (corners.empty() || corners.back().y != y) corners.push_back({x, y});
  };
  double x = 0;
  for (const bucket& each : buckets_) {
    add(x, each.highest);
    add(x, each.lowest);
    add(x, each.last);
    x += static_cast<double>(width_);
  }
  return corners;
}

}  // namespace headroom
