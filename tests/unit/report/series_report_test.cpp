// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <headroom/report/series_report.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <headroom/series/verdict.hpp>

#include "support/scripted_series.hpp"

namespace headroom {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The scripted series as of a card, on which 300 MiB more are used than the allocator reserved;
/// in the last phase 310 MiB.
series_record on_a_card() {
  series_record series = test::scripted_series();
  series.devices[0].info.kind = device_kind::cuda;
  for (phase_record& phase : series.phases) {
    device_reading& reading = phase.readings[0];
    const bool last = &phase == &series.phases.back();
    reading.system_begin = {1_GiB - 300_MiB, 1_GiB, {}, {}, "a container"};
    reading.system = {1_GiB - 320_MiB - (last ? 10_MiB : bytes{0}), 1_GiB, {}, {}, "a container"};
    reading.outside_begin = outside_allocator_of(reading.system_begin, reading.begin_reserved);
    reading.outside =
        outside_allocator_of(reading.system, reading.end[counter_id::reserved_current]);
  }
  return series;
}

std::string text_of(const series_record& series) {
  return series_text(series, judge_without_budget(series), nullptr, "a.json");
}

TEST(OutsideTheAllocator, HasAColumnOfItsOwnOnACard) {
  const std::string text = text_of(on_a_card());
  EXPECT_THAT(text, HasSubstr("reserved  outside the\n"));
  EXPECT_THAT(text, testing::ContainsRegex("inputs .* 20.00 MiB   300.00 MiB"));
  EXPECT_THAT(text, testing::ContainsRegex("warm_forward x2 .* 20.00 MiB   310.00 MiB"));
  EXPECT_THAT(text_of(test::scripted_series()), Not(HasSubstr("outside")));
}

TEST(OutsideTheAllocator, IsNotMeasuredWhereTheSystemWasNotRead) {
  series_record series = on_a_card();
  series.phases.back().readings[0].outside.reset();
  EXPECT_THAT(text_of(series), testing::ContainsRegex("warm_forward x2 .* not measured\n"));
  EXPECT_THAT(series_json(series, judge_without_budget(series), nullptr, "a.json"),
              HasSubstr("\"outside_allocator_bytes\": null"));
}

TEST(OutsideTheAllocator, IsKeptByTheArtifactAndCheckedByItsReader) {
  const series_record series = on_a_card();
  std::string text = artifact_text(series, judge_without_budget(series), nullptr);
  const device_reading read = parse_artifact(text, "a.json").series.phases.back().readings.at(0);
  EXPECT_EQ(read.outside_begin, 300_MiB);
  EXPECT_EQ(read.outside, 310_MiB);
  const std::string_view figure = "\"outside_allocator_bytes\": 325058560";
  const std::size_t at = text.find(figure);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, figure.size(), "\"outside_allocator_bytes\": 325058561");
  EXPECT_THROW(static_cast<void>(parse_artifact(text, "a.json")), std::exception);
  EXPECT_THAT(artifact_text(test::scripted_series(), judge_without_budget(test::scripted_series()),
                            nullptr),
              Not(HasSubstr("outside")))
      << "a host is used by others, and a plan by nobody";
}

}  // namespace
}  // namespace headroom
