// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/report/chart_svg.hpp>

#include <gmock/gmock.h>

#include <headroom/report/level_history.hpp>

#include "support/golden.hpp"

namespace headroom {
namespace {

using testing::HasSubstr;
using testing::Not;

line_chart small_chart() {
  line_chart chart;
  chart.title = "Predicted memory";
  chart.subtitle = "plan:24GB; prediction, not a GPU measurement";
  chart.x_title = "events";
  chart.y_title = "memory";
  chart.x_end = 4;
  chart.lines = {{"allocated", {{0, 1_GiB}, {2, 3_GiB}}, {{0, 0_B}, {2, 1_GiB}}, true},
                 {"reserved", {{0, 2_GiB}, {1, 4_GiB}}, {}, false}};
  chart.levels = {{"capacity", 5_GiB}};
  chart.marks = {{"first request that fails", 3}};
  return chart;
}

TEST(ChartSvg, IsWrittenWhole) {
  test::expect_golden("chart_svg/small.svg", line_chart_svg(small_chart()));
}

TEST(ChartSvg, ALevelFarAboveIsNamedAndNotDrawn) {
  line_chart chart = small_chart();
  chart.levels = {{"capacity", 80_GiB}};
  const std::string text = line_chart_svg(chart);
  EXPECT_THAT(text, HasSubstr(">capacity 80.00 GiB, far above what is drawn<"));
  EXPECT_THAT(text, Not(HasSubstr("stroke-dasharray=\"7 4\"")));
}

TEST(ChartSvg, TextsCannotLeaveTheirElements) {
  line_chart chart = small_chart();
  chart.title = "</text><script>alert(1)</script>&\x01\xff";
  const std::string text = line_chart_svg(chart);
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text,
              HasSubstr("&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;\\u0001\\xff"));
}

TEST(ChartSvg, NothingIsTakenFromElsewhere) {
  const std::string text = line_chart_svg(small_chart());
  EXPECT_THAT(text, Not(HasSubstr("href")));
  EXPECT_THAT(text, Not(HasSubstr("url(")));
  EXPECT_EQ(text.find("http", text.find("w3.org")), std::string::npos);
}

TEST(ChartSvg, AnEmptyChartIsStillOne) {
  line_chart chart;
  chart.lines = {{"allocated", {}, {}, true}};
  const std::string text = line_chart_svg(chart);
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
  EXPECT_THAT(text, testing::EndsWith("</svg>\n"));
}

TEST(LevelHistory, KeepsEveryLevelOfFewEvents) {
  level_history history(8);
  for (const bytes level : {1_B, 1_B, 5_B, 2_B}) history.add(level);
  const auto points = history.highest();
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[1].x, 2);
  EXPECT_EQ(points[1].y, 5_B);
  EXPECT_EQ(points[2].x, 3);
  EXPECT_TRUE(history.lowest().empty());
  EXPECT_EQ(history.events_in_a_bucket(), 1U);
}

TEST(LevelHistory, ManyEventsKeepTheirPeakAndTheirLowest) {
  level_history history(8);
  for (int i = 0; i < 1000; ++i) history.add(i == 501 ? 900_B : i == 703 ? 3_B : 100_B);
  EXPECT_EQ(history.events_in_a_bucket(), 128U);
  bytes highest;
  for (const chart_point& point : history.highest()) highest = std::max(highest, point.y);
  EXPECT_EQ(highest, 900_B);
  bytes lowest = 900_B;
  double at = 0;
  for (const chart_point& point : history.lowest()) {
    if (point.y < lowest) at = point.x;
    lowest = std::min(lowest, point.y);
  }
  EXPECT_EQ(lowest, 3_B);
  EXPECT_EQ(at, 640);
}

TEST(LevelHistory, TheChartDoesNotGrowWithTheEvents) {
  const auto size_of = [](int events) {
    level_history history;
    for (int i = 0; i < events; ++i) history.add(bytes{std::int64_t{i} * 7919 % 1'000'003});
    line_chart chart = small_chart();
    chart.x_end = events;
    chart.lines = {{"allocated", history.highest(), history.lowest(), true}};
    return line_chart_svg(chart).size();
  };
  EXPECT_LT(size_of(1'000'000), 2 * size_of(2'000));
}

}  // namespace
}  // namespace headroom
