// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/report/chart_svg.hpp>
#include <headroom/report/xml_text.hpp>
#include <iterator>

#include "chart_axis.hpp"

namespace headroom {
namespace {

constexpr double width = 960;
constexpr double height = 500;
constexpr double left = 80;
constexpr double right = width - 48;
constexpr double top = 110;
constexpr double bottom = height - 62;
constexpr double far_above = 2.5;  // times the highest line
constexpr double letter = 6.7;     // about the width of one at 13 px
// Told apart with any common colour blindness, and by their darkness on paper.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#7b3294"};

/// Text of an element; what XML cannot hold is shown as an escape.
std::string escaped(std::string_view text, std::size_t most) {
  const std::string shown = quoted_text(text, most);
  return xml_text(std::string_view(shown).substr(1, shown.size() - 2));
}

class chart_writer {
 public:
  explicit chart_writer(const line_chart& chart)
      : chart_(chart), x_(count_axis(chart.x_end)), y_(byte_axis(highest())) {}

  std::string write() {
    open();
    grid();
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) line(chart_.lines[i], colours.at(i));
    for (const chart_level& each : chart_.levels) level(each);
    for (const chart_mark& each : chart_.marks) mark(each);
    legend();
    return text_ + "</svg>\n";
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Args>(args)...);
    text_ += '\n';
  }

  [[nodiscard]] bytes highest_of_lines() const {
    bytes highest;
    for (const chart_line& line : chart_.lines) {
      for (const chart_point& point : line.points) highest = std::max(highest, point.y);
    }
    return highest;
  }
  [[nodiscard]] bool drawn(const chart_level& level) const {
    return static_cast<double>(level.y.n) <=
           far_above * static_cast<double>(std::max(highest_of_lines(), 1_B).n);
  }
  [[nodiscard]] bytes highest() const {
    bytes highest = highest_of_lines();
    for (const chart_level& each : chart_.levels) {
      if (drawn(each)) highest = std::max(highest, each.y);
    }
    return highest;
  }

  [[nodiscard]] double across(double x) const { return left + (right - left) * x / x_.end; }
  [[nodiscard]] double up(double y) const { return bottom - (bottom - top) * y / y_.end; }
  [[nodiscard]] double up(bytes y) const { return up(static_cast<double>(y.n)); }

  void text(double x, double y, std::string_view style, std::string_view what) {
    add(R"(<text x="{:.1f}" y="{:.1f}" {}>{}</text>)", x, y, style, escaped(what, 110));
  }

  void open() {
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" )"
        R"(viewBox="0 0 {0:.0f} {1:.0f}" font-family="sans-serif" font-size="13" fill="#222222">)",
        width, height);
    add("<title>{}</title>", escaped(chart_.title, 110));
    add(R"(<rect width="{:.0f}" height="{:.0f}" fill="#ffffff"/>)", width, height);
    text(left, 32, R"(font-size="18" font-weight="bold")", chart_.title);
    text(left, 54, R"(fill="#555555")", chart_.subtitle);
  }

  void grid() {
    for (const chart_tick& tick : y_.ticks) {
      add(R"(<path d="M{:.1f} {:.1f}H{:.1f}" stroke="{}"/>)", left, up(tick.at), right,
          tick.at > 0 ? "#e4e4e4" : "#888888");
      text(left - 8, up(tick.at) + 4.5, R"(text-anchor="end")", tick.label);
    }
    for (const chart_tick& tick : x_.ticks) {
      add(R"(<path d="M{:.1f} {:.1f}v5" stroke="#888888"/>)", across(tick.at), bottom);
      text(across(tick.at), bottom + 21, R"(text-anchor="middle")", tick.label);
    }
    text((left + right) / 2, bottom + 46, R"(text-anchor="middle")", chart_.x_title);
    add(R"svg(<text transform="translate(22 {:.1f}) rotate(-90)" text-anchor="middle">{}</text>)svg",
        (top + bottom) / 2, escaped(fmt::format("{} ({})", chart_.y_title, y_.unit), 60));
  }

  /// From the left end of the axis to the right.
  [[nodiscard]] std::string steps(const std::vector<chart_point>& points) const {
    std::string path = fmt::format("M{:.1f} {:.1f}", left, up(points.front().y));
    for (const chart_point& point : points) {
      fmt::format_to(std::back_inserter(path), "H{:.1f}V{:.1f}", across(point.x), up(point.y));
    }
    return path + fmt::format("H{:.1f}", across(chart_.x_end));
  }
  /// Back from the right end to the left.
  [[nodiscard]] std::string steps_back(const std::vector<chart_point>& points) const {
    std::string path;
    for (std::size_t i = points.size(); i > 0; --i) {
      fmt::format_to(std::back_inserter(path), "V{:.1f}H{:.1f}", up(points[i - 1].y),
                     across(points[i - 1].x));
    }
    return path + "Z";
  }

  /// Each line's circles are wider than those before, so that equal points stay visible.
  void points(const chart_line& line, std::string_view colour) {
    for (const chart_point& point : line.points) {
      add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="none" stroke="{}" stroke-width="2"/>)",
          across(point.x), up(point.y), radius_, colour);
    }
    radius_ += 1.5;
  }

  void line(const chart_line& line, std::string_view colour) {
    if (line.points.empty()) return;
    if (chart_.points_only) return points(line, colour);
    const std::string path = steps(line.points);
    if (line.filled) {
      add(R"(<path d="{}{}" fill="{}" fill-opacity="0.15"/>)", path, steps_back({{0, bytes{}}}),
          colour);
    }
    if (!line.lowest.empty()) {
      add(R"(<path d="{}{}" fill="{}" fill-opacity="0.3"/>)", path, steps_back(line.lowest),
          colour);
    }
    add(R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.5"/>)", path, colour);
  }

  void level(const chart_level& level) {
    if (!drawn(level)) return;
    add(R"(<path d="M{:.1f} {:.1f}H{:.1f}" stroke="#222222" stroke-width="1.5" )"
        R"(stroke-dasharray="7 4"/>)",
        left, up(level.y), right);
  }

  void mark(const chart_mark& mark) {
    const double x = across(mark.x);
    const bool to_the_left = x > (left + right) / 2;
    add(R"(<path d="M{:.1f} {:.1f}V{:.1f}" stroke="#b2182b" stroke-dasharray="2 3"/>)", x, top - 18,
        bottom);
    text(to_the_left ? x - 5 : x + 5, top - 9,
         to_the_left ? R"(fill="#b2182b" text-anchor="end")" : R"(fill="#b2182b")", mark.name);
  }

  void legend() {
    double x = left;
    const auto entry = [&](std::string_view stroke, const std::string& name) {
      add(R"(<path d="M{:.1f} 76h22" stroke-width="2" {}/>)", x, stroke);
      text(x + 28, 80.5, "", name);
      x += 56 + letter * static_cast<double>(name.size());
    };
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      entry(fmt::format(R"(stroke="{}")", colours.at(i)), chart_.lines[i].name);
    }
    for (const chart_level& each : chart_.levels) {
      const std::string name = fmt::format("{} {}", each.name, format_binary(each.y));
      if (drawn(each)) {
        entry(R"(stroke="#222222" stroke-dasharray="7 4")", name);
      } else {
        text(x, 80.5, "", name + ", far above what is drawn");
      }
    }
  }

  const line_chart& chart_;
  double radius_ = 3;  // of the next line's points
  chart_axis x_;
  chart_axis y_;
  std::string text_;
};

}  // namespace

std::string line_chart_svg(const line_chart& chart) { return chart_writer(chart).write(); }

}  // namespace headroom
