// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <headroom/core/counters.hpp>
#include <headroom/series/verdict.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// One value of the dimension that a sweep varies.
struct sweep_point {
  std::int64_t value = 0;
  /// Highest of the cold and warm passes. Absent after a failure: a partial peak is no requirement.
  std::array<std::optional<bytes>, counter_count> highest;
  std::optional<headroom::outcome> outcome;  ///< absent when nothing was recorded
  bool whole = false;    ///< it ran from the first phase to the last, with its sizes
  std::string note;      ///< why it did not, one line
  std::string artifact;  ///< "" when there is none
};

/// A sweep over one dimension, the others fixed.
struct sweep_report {
  std::string title;  ///< the workload with its fixed sizes
  std::string device;
  bool prediction = true;
  std::string settings;  ///< of the allocator
  std::string dimension;
  std::optional<bytes> capacity;
  std::string budget;               ///< its name, "" for none
  std::vector<sweep_point> points;  ///< in the order in which they were asked for
};

/// Whether a larger value that ran whole has neither a higher allocated peak nor a higher reserved
/// peak: nothing is saved by the smaller one.
[[nodiscard]] bool is_dominated(const sweep_report& sweep, const sweep_point& point);

/// For people, at most 80 columns wide.
[[nodiscard]] std::string sweep_text(const sweep_report& sweep);
/// One JSON document (`headroom-sweep/1`).
[[nodiscard]] std::string sweep_json(const sweep_report& sweep);
/// One JSON object a line and point.
[[nodiscard]] std::string sweep_lines(const sweep_report& sweep);
/// The four counters as points; nothing is drawn between them.
[[nodiscard]] std::string sweep_chart(const sweep_report& sweep);

}  // namespace headroom
