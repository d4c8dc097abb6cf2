// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <headroom/series/verdict.hpp>
#include <limits>

#include "support/scripted_series.hpp"

namespace headroom {
namespace {

/// Used memory grows by 100, of which the process has 70 and its allocator 60.
device_reading moved() {
  device_reading reading;
  reading.system_begin = {bytes{800}, bytes{1000}, bytes{30}, {}, ""};
  reading.system = {bytes{700}, bytes{1000}, bytes{100}, {}, ""};
  reading.begin_reserved = bytes{20};
  reading.end[counter_id::reserved_current] = bytes{80};
  return reading;
}

TEST(OutsideTheAllocator, IsUsedMemoryLessWhatItReserved) {
  const device_reading reading = moved();
  EXPECT_EQ(outside_allocator_of(reading.system, bytes{80}), bytes{220});
  EXPECT_EQ(outside_allocator_of(reading.system, bytes{301}), bytes{-1}) << "never clamped";
  EXPECT_EQ(outside_allocator_of(reading.system, {}), std::nullopt);
  EXPECT_EQ(outside_allocator_of({}, bytes{80}), std::nullopt);
  constexpr bytes largest{std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(outside_allocator_of({bytes{0}, largest, {}, {}, ""}, bytes{-1}), std::nullopt);
}

TEST(UnaccountedMemory, IsAnothersWhereTheProcessIsKnown) {
  EXPECT_EQ(unaccounted_of(moved()), (unaccounted_memory{bytes{30}, accounted_by::process}));
}

TEST(UnaccountedMemory, IsOutsideTheAllocatorWhereItIsNot) {
  device_reading reading = moved();
  reading.system_begin.process.reset();
  EXPECT_EQ(unaccounted_of(reading), (unaccounted_memory{bytes{40}, accounted_by::allocator}));
}

TEST(UnaccountedMemory, CanBeMemoryThatAnotherGaveBack) {
  device_reading reading = moved();
  reading.system.free = bytes{950};
  EXPECT_EQ(unaccounted_of(reading)->moved, bytes{-220});
}

TEST(UnaccountedMemory, IsNotKnownWithoutTheReadings) {
  device_reading reading = moved();
  reading.system_begin.free.reset();
  EXPECT_EQ(unaccounted_of(reading), std::nullopt);
  reading = moved();
  reading.system.process.reset();
  reading.begin_reserved.reset();
  EXPECT_EQ(unaccounted_of(reading), std::nullopt);
}

TEST(UnaccountedMemory, IsNotKnownWhereItDoesNotFit) {
  constexpr bytes largest{std::numeric_limits<std::int64_t>::max()};
  device_reading reading = moved();
  reading.system_begin = {largest, bytes{0}, bytes{0}, {}, ""};
  reading.system = {bytes{0}, largest, bytes{0}, {}, ""};
  EXPECT_EQ(unaccounted_of(reading), std::nullopt);
}

TEST(UnaccountedMemory, DrawsAWarningWhereItIsAnothers) {
  series_record series = test::scripted_series();
  series.phases[4].readings[0].unaccounted = unaccounted_memory{4_MiB, accounted_by::process};
  EXPECT_THAT(judge(series, test::scripted_budget()).warnings,
              testing::ElementsAre(testing::HasSubstr("in phase warm_forward (foreign activity)")));
  for (const unaccounted_memory quiet : {unaccounted_memory{0_MiB, accounted_by::process},
                                         unaccounted_memory{4_MiB, accounted_by::allocator}}) {
    series.phases[4].readings[0].unaccounted = quiet;
    EXPECT_THAT(judge(series, test::scripted_budget()).warnings, testing::IsEmpty());
  }
}

}  // namespace
}  // namespace headroom
