// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct chart_tick {
  double at = 0;
  std::string label;
};

/// An axis from zero, with about five ticks at round numbers.
struct chart_axis {
  double end = 0;
  std::vector<chart_tick> ticks;
  std::string unit;  ///< of a byte axis
};

/// Ticks on an axis of counts that ends at `end`; labels have blanks between thousands.
[[nodiscard]] chart_axis count_axis(double end);
/// An axis of bytes that ends at a tick at or above `highest`, in the unit that suits it.
[[nodiscard]] chart_axis byte_axis(bytes highest);

}  // namespace headroom
