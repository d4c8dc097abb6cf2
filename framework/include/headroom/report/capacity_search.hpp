// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <headroom/core/bytes.hpp>
#include <optional>
#include <vector>

namespace headroom {

/// One capacity that was tried.
struct capacity_probe {
  bytes capacity;
  bool fits = false;
  friend bool operator==(const capacity_probe&, const capacity_probe&) = default;
};

/// What a search for the smallest capacity found. A caching allocator does not promise that more
/// memory always helps, so what was tried stays visible.
struct capacity_search {
  bytes step;
  std::vector<capacity_probe> probes;  ///< by capacity; each was tried, none is concluded
  bytes lowest_possible;               ///< less cannot fit

  /// The smallest capacity that was tried and fits; absent when none does.
  [[nodiscard]] std::optional<bytes> smallest() const;
  /// The largest capacity above smallest() that was tried and does not fit: the answer is then not
  /// one border.
  [[nodiscard]] std::optional<bytes> exception() const;
};

/// Where to look.
struct capacity_range {
  bytes lowest_possible;  ///< less cannot fit
  bytes guess;            ///< a capacity that is likely to fit
  bytes most;             ///< nothing above is tried
};

/// Finds by bisection two capacities, one step apart, of which the larger fits and the smaller does
/// not, then tries two on each side, so that a border that is none shows. Capacities are multiples
/// of `step`.
/// @param fits tries one capacity; called once for each
[[nodiscard]] capacity_search find_smallest_capacity(const capacity_range& range, bytes step,
                                                     const std::function<bool(bytes)>& fits);

}  // namespace headroom
