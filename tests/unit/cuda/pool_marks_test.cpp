// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "cuda/pool_marks.hpp"

#include <gtest/gtest.h>

namespace headroom::cuda {
namespace {

using enum counter_id;

pool_levels pool(bytes used, bytes used_high, bytes reserved, bytes reserved_high) {
  pool_levels all;
  all.used = {used, used_high};
  all.reserved = {reserved, reserved_high};
  return all;
}

TEST(PoolMarks, APeakIsTheDriversHighMark) {
  pool_marks marks;
  const source_reading now = marks.reading_of(pool(2_MiB, 5_MiB, 8_MiB, 16_MiB));
  EXPECT_EQ(now[allocated_current], 2_MiB);
  EXPECT_EQ(now[allocated_peak], 5_MiB);
  EXPECT_EQ(now[reserved_current], 8_MiB);
  EXPECT_EQ(now[reserved_peak], 16_MiB);
  EXPECT_FALSE(marks.graphs_ever());
}

TEST(PoolMarks, AMarkThatWasSetToZeroIsNoPeakBelowWhatIsLive) {
  pool_marks marks;
  const pool_levels zeroed = pool(2_MiB, 0_B, 8_MiB, 0_B);
  marks.reset(zeroed);
  EXPECT_EQ(marks.reading_of(zeroed)[allocated_peak], 2_MiB);
  EXPECT_EQ(marks.reading_of(zeroed)[reserved_peak], 8_MiB);
  // Given back since: the mark may still be zero, and 2 MiB were live.
  EXPECT_EQ(marks.reading_of(pool(1_MiB, 0_B, 8_MiB, 0_B))[allocated_peak], 2_MiB);
  // The mark counts from what was allocated next.
  EXPECT_EQ(marks.reading_of(pool(1_MiB, 3_MiB, 8_MiB, 0_B))[allocated_peak], 3_MiB);
}

TEST(PoolMarks, GraphsAreCountedAndMakePeaksABound) {
  pool_marks marks;
  pool_levels now = pool(2_MiB, 5_MiB, 8_MiB, 8_MiB);
  now.graph_used = {1_MiB, 4_MiB};
  now.graph_reserved = {32_MiB, 32_MiB};
  const source_reading read = marks.reading_of(now);
  EXPECT_EQ(read[allocated_current], 3_MiB);
  EXPECT_EQ(read[allocated_peak], 9_MiB);
  EXPECT_EQ(read[reserved_current], 40_MiB);
  EXPECT_EQ(read[reserved_peak], 40_MiB);
  EXPECT_TRUE(marks.graphs_ever());
  marks.reset(pool(0_B, 0_B, 0_B, 0_B));
  EXPECT_TRUE(marks.graphs_ever()) << "an earlier phase's peaks are a bound all the same";
}

}  // namespace
}  // namespace headroom::cuda
