// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "chart_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <headroom/core/size_text.hpp>
#include <utility>

namespace headroom {
namespace {

constexpr double wanted_ticks = 5;

/// 1, 2 or 5 times a power of ten, so that about five of them make up the length.
double round_step(double length) {
  const double rough = length / wanted_ticks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * 0.8) return factor * power;
  }
  return 10 * power;
}

std::string with_blanks(double count) {
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, " ");
  }
  return digits;
}

constexpr std::array units{std::pair{"B", 1_B}, std::pair{"KiB", 1_KiB}, std::pair{"MiB", 1_MiB},
                           std::pair{"GiB", 1_GiB}, std::pair{"TiB", 1_TiB}};

}  // namespace

chart_axis count_axis(double end) {
  chart_axis axis;
  axis.end = std::max(end, 1.0);
  const double step = std::max(round_step(axis.end), 1.0);
  for (double at = 0; at <= axis.end; at += step) axis.ticks.push_back({at, with_blanks(at)});
  return axis;
}

chart_axis byte_axis(bytes highest) {
  auto chosen = units.front();
  for (const auto& each : units) {
    if (highest >= each.second) chosen = each;
  }
  const double unit = static_cast<double>(chosen.second.n);
  const double length = std::max(static_cast<double>(highest.n) / unit, 1.0);
  const double step = round_step(length);
  const int decimals = step < 1 ? static_cast<int>(std::ceil(-std::log10(step))) : 0;
  chart_axis axis;
  axis.unit = chosen.first;
  const double count = std::ceil(length / step - 1e-9);
  for (double i = 0; i <= count; ++i) {
    axis.ticks.push_back({i * step * unit, fmt::format("{:.{}f}", i * step, decimals)});
  }
  axis.end = axis.ticks.back().at;
  return axis;
}

}  // namespace headroom
