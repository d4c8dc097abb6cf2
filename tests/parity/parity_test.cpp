// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// Every trace beside this file, replayed: after every event, every figure that PyTorch's own
// allocator reported (the .expected files).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/replay.hpp>
#include <string>
#include <vector>

namespace headroom {
namespace {

std::filesystem::path folder() {
  return std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/parity/traces";
}

std::vector<std::string> trace_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    if (entry.path().extension() == ".trace") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(const std::string& trace) {
  std::string name = trace;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

TEST(ParityTraces, AllAreThere) { EXPECT_EQ(trace_names().size(), 36U); }

class Parity : public ::testing::TestWithParam<std::string> {};

TEST_P(Parity, EqualsTheReferenceAtEveryEvent) {
  std::ifstream trace(folder() / (GetParam() + ".trace"));
  std::ifstream expected(folder() / (GetParam() + ".expected"));
  trace_reader reader(trace, GetParam() + ".trace");
  address_segments source(reader.header().capacity, "plan");
  ticket_clock clock;
  caching_allocator allocator(source, clock, reader.header().settings);
  std::string heading;
  ASSERT_TRUE(std::getline(expected, heading));
  ASSERT_EQ(heading.substr(0, 16), "# event op alloc");

  std::uint64_t events = 0;
  std::uint64_t differences = 0;
  std::string first;
  replay_all(reader, allocator, clock, [&](const trace_event& event, const replay_step& step) {
    const std::string ours = replay_line(events++, event, step, allocator);
    std::string theirs;
    ASSERT_TRUE(std::getline(expected, theirs)) << "no expected line for " << ours;
    if (ours == theirs) return;
    if (differences++ == 0) first = "expected " + theirs + "\n     got " + ours;
  });
  std::string rest;
  EXPECT_FALSE(std::getline(expected, rest)) << "expected an event more: " << rest;
  EXPECT_GT(events, 0U);
  EXPECT_EQ(differences, 0U) << "the first at " << first;
  std::printf("%-36s %6llu events, %llu differences\n", GetParam().c_str(),
              static_cast<unsigned long long>(events),
              static_cast<unsigned long long>(differences));
}

INSTANTIATE_TEST_SUITE_P(Traces, Parity, ::testing::ValuesIn(trace_names()),
                         [](const auto& each) { return test_name(each.param); });

}  // namespace
}  // namespace headroom
