// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace headroom {

/// One value that was tried.
struct boundary_probe {
  std::int64_t value = 0;
  bool fits = false;
  friend bool operator==(const boundary_probe&, const boundary_probe&) = default;
};

/// What a search for the largest value that fits found. Nothing promises that a larger value needs
/// more, so what was tried stays visible.
struct boundary_search {
  std::vector<boundary_probe> probes;  ///< by value; each was tried, none is concluded

  /// The largest value that was tried and fits; absent when none does.
  [[nodiscard]] std::optional<std::int64_t> largest_that_fits() const;
  /// The smallest value that was tried and does not fit; absent when all do.
  [[nodiscard]] std::optional<std::int64_t> smallest_that_fails() const;
  /// No value that was tried fits above one that does not.
  [[nodiscard]] bool monotonic() const;
};

/// Tries both ends; where the lower fits and the upper does not, finds by bisection two neighbours
/// of which the lower fits and the upper does not. Then tries two more on each side and some in
/// between, so that a border that is none shows.
/// @param fits  tries one value; called once for each
[[nodiscard]] boundary_search find_boundary(std::int64_t from, std::int64_t to,
                                            const std::function<bool(std::int64_t)>& fits);

}  // namespace headroom
