// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/report/replay_report.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace headroom {
namespace {

namespace fs = std::filesystem;

const fs::path traces = fs::path(HEADROOM_SOURCE_DIR) / "tests/parity/traces";

replay_plan plan_of(const trace_header& header) {
  return {"plan", header.capacity, header.settings};
}

/// The highest of a column of a trace's recorded figures, and where it is reached first.
struct recorded_peak {
  std::uint64_t event = 0;
  std::int64_t allocated = 0;
  std::int64_t reserved = 0;
};
struct recorded {
  recorded_peak by_allocated;
  recorded_peak by_reserved;
  std::int64_t events = 0;
  std::int64_t retries = 0;
  std::int64_t refusals = 0;
};

recorded read_recorded(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  recorded all;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::uint64_t event = 0;
    char operation = 0;
    std::int64_t allocated = 0, allocated_peak = 0, reserved = 0, reserved_peak = 0;
    std::int64_t ignored = 0;
    std::string place;
    words >> event >> operation >> allocated >> allocated_peak >> reserved >> reserved_peak >>
        ignored >> ignored >> ignored >> ignored >> all.retries >> ignored >> place;
    ++all.events;
    if (place == "oom") ++all.refusals;
    if (allocated > all.by_allocated.allocated) all.by_allocated = {event, allocated, reserved};
    // Memory that was taken and given back within one event shows in the peak's column only.
    if (std::max(reserved, reserved_peak) > all.by_reserved.reserved) {
      all.by_reserved = {event, allocated, std::max(reserved, reserved_peak)};
    }
  }
  return all;
}

class RecordedTrace : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> trace_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(traces)) {
    if (entry.path().extension() == ".trace") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(RecordedTrace, HasThePeaksOfTheRecordedFigures) {
  const recorded expected = read_recorded(traces / (GetParam() + ".expected"));
  std::ifstream in(traces / (GetParam() + ".trace"));
  trace_reader reader(in, GetParam());
  const replay_report report = replay_trace(reader, plan_of(reader.header()));
  ASSERT_GT(expected.events, 0);
  EXPECT_EQ(report.events, static_cast<std::uint64_t>(expected.events));
  EXPECT_EQ(report.retries, expected.retries);
  EXPECT_EQ(report.refusals, expected.refusals);
  EXPECT_EQ(report.fits(), expected.refusals == 0);
  EXPECT_EQ(report.allocated_peak.event, expected.by_allocated.event);
  EXPECT_EQ(report.allocated_peak.allocated.n, expected.by_allocated.allocated);
  EXPECT_EQ(report.allocated_peak.reserved.n, expected.by_allocated.reserved);
  EXPECT_EQ(report.reserved_peak.event, expected.by_reserved.event);
  EXPECT_EQ(report.reserved_peak.allocated.n, expected.by_reserved.allocated);
  EXPECT_EQ(report.reserved_peak.reserved.n, expected.by_reserved.reserved);
  EXPECT_EQ(report.at_allocated_peak.all.allocated, report.allocated_peak.allocated);
  if (const auto& refused = report.first_refusal) {
    bytes cached;
    for (const cached_pool& pool : refused->cached) cached += pool.total;
    const memory_counters& held = refused->facts.counters;
    EXPECT_EQ(cached, held.reserved.current - held.allocated.current);
  }
}

TEST_P(RecordedTrace, FitsExactlyWhereNoRequestFails) {
  std::ifstream in(traces / (GetParam() + ".trace"));
  trace_reader reader(in, GetParam());
  const replay_plan plan = plan_of(reader.header());
  const bool fits = trace_fits(reader, plan);
  std::ifstream again(traces / (GetParam() + ".trace"));
  trace_reader whole(again, GetParam());
  EXPECT_EQ(fits, replay_trace(whole, plan).fits());
}

INSTANTIATE_TEST_SUITE_P(Traces, RecordedTrace, ::testing::ValuesIn(trace_names()),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

replay_report report_of(const std::string& events, bytes capacity = 1_GiB) {
  std::istringstream in("headroom-trace 1\ncapacity 1\n" + events);
  trace_reader reader(in, "t");
  return replay_trace(reader, {"plan", capacity, {}});
}

TEST(ReplayReport, KnowsWhoIsAliveAtThePeakAlsoWhenTheyAreGoneAtTheEnd) {
  const replay_report report = report_of(
      "a 1 0 3145728 weights\n"
      "a 2 0 2097152 activations\n"
      "f 2\n"
      "a 3 0 4194304 activations\n"
      "a 4 0 512 workspace\n"  // the peak
      "f 3\n"
      "a 5 0 1048576 inputs\n"
      "f 1\nf 4\nf 5\n");
  EXPECT_EQ(report.allocated_peak.event, 4U);
  EXPECT_EQ(report.allocated_peak.allocated, 7_MiB + 512_B);
  const live_summary& alive = report.at_allocated_peak;
  EXPECT_EQ(alive.all.blocks, 3);
  const auto sum = [&](tag what) { return alive.by_tag[static_cast<std::size_t>(what)]; };
  EXPECT_EQ(sum(tag::weights).allocated, 3_MiB);
  EXPECT_EQ(sum(tag::activations).blocks, 1);
  EXPECT_EQ(sum(tag::activations).allocated, 4_MiB);
  EXPECT_EQ(sum(tag::workspace).allocated, 512_B);
  EXPECT_EQ(sum(tag::inputs).blocks, 0);
  ASSERT_EQ(alive.largest.size(), 3U);
  EXPECT_EQ(alive.largest[0].id, 3U);
  EXPECT_EQ(alive.largest[0].since, 3U);
  EXPECT_EQ(alive.largest[2].id, 4U);
}

TEST(ReplayReport, TheLargestAreTenAndAmongEqualsTheOldest) {
  std::string events;
  for (int i = 0; i < 15; ++i) events += "a " + std::to_string(100 - i) + " 0 512\n";
  const replay_report report = report_of(events);
  ASSERT_EQ(report.at_allocated_peak.largest.size(), 10U);
  EXPECT_EQ(report.at_allocated_peak.largest[0].id, 100U);
  EXPECT_EQ(report.at_allocated_peak.largest[9].id, 91U);
}

TEST(ReplayReport, ResetsOfThePeaksChangeNothing) {
  const replay_report report = report_of("a 1 0 4194304\nf 1\nr\na 2 0 2097152\n");
  EXPECT_EQ(report.allocated_peak.event, 0U);
  EXPECT_EQ(report.allocated_peak.allocated, 4_MiB);
  EXPECT_EQ(report.reserved_peak.reserved, 20_MiB);
}

TEST(ReplayReport, TheMostRequestedCountsWhatFailedToo) {
  const replay_report report = report_of("a 1 0 1000\na 2 0 2000000000\nf 2\na 3 0 500\n");
  EXPECT_EQ(report.refusals, 1);
  EXPECT_EQ(report.most_requested, 2000001000_B);
  ASSERT_TRUE(report.first_refusal);
  EXPECT_EQ(report.first_refusal->event, 1U);
  EXPECT_EQ(report.first_refusal->line, 4);
  EXPECT_EQ(report.first_refusal->facts.requested, 2000000000_B);
}

TEST(ReplayReport, ARequestTooLargeForAnyDeviceFails) {
  const replay_report report = report_of("a 1 0 9223372036854775807\na 2 0 9223372036854775807\n");
  EXPECT_EQ(report.refusals, 2);
  EXPECT_FALSE(report.fits());
}

TEST(ReplayReport, AZeroByteBlockIsNotAlive) {
  const replay_report report = report_of("a 1 0 0\na 2 0 512\n");
  EXPECT_TRUE(report.fits());
  EXPECT_EQ(report.at_allocated_peak.all.blocks, 1);
}

TEST(ReplayReport, TheWatcherSeesEveryEvent) {
  std::istringstream in("headroom-trace 1\ncapacity 1\na 1 0 512\nf 1\ne\n");
  trace_reader reader(in, "t");
  std::string seen;
  (void)replay_trace(reader, {"plan", 1_GiB, {}},
                     [&](const trace_event& event, const replay_step&, const caching_allocator&) {
                       seen += static_cast<char>(event.operation);
                     });
  EXPECT_EQ(seen, "afe");
}

}  // namespace
}  // namespace headroom
