// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <string>
#include <vector>

namespace headroom {

struct chart_point {
  double x = 0;
  bytes y;
};

struct chart_line {
  std::string name;  ///< for the legend
  std::vector<chart_point> points;
  std::vector<chart_point>
      lowest;           ///< with points, the borders of a band; empty where there is none
  bool filled = false;  ///< the area below is tinted
};

/// A level that the lines are read against: a capacity, a limit.
struct chart_level {
  std::string name;
  bytes y;
};

/// A place on the x axis that has a meaning of its own.
struct chart_mark {
  std::string name;
  double x = 0;
};

/// Bytes over something that counts. A level holds until the next point: lines are drawn as steps.
struct line_chart {
  std::string title;
  std::string subtitle;  ///< device, settings, and whether it is a prediction
  std::string x_title;
  std::string y_title;            ///< without the unit, which is chosen
  double x_end = 0;               ///< the x axis runs from 0 to here
  bool points_only = false;       ///< each point stands alone; nothing is drawn between them
  std::vector<chart_line> lines;  ///< at most four
  std::vector<chart_level> levels;
  std::vector<chart_mark> marks;
};

/// One SVG document: light background, no script, nothing from elsewhere. Levels far above the
/// lines are named, not drawn, so that the lines stay readable.
[[nodiscard]] std::string line_chart_svg(const line_chart& chart);

}  // namespace headroom
