// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "table.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace headroom::kernels {
namespace {

using testing::HasSubstr;
using testing::Not;

checkpointing_figures row(std::string policy, std::int64_t layers, double milliseconds,
                          bytes peak) {
  checkpointing_figures made;
  made.name = "checkpointing/" + policy;
  made.policy = std::move(policy);
  made.layers = layers;
  made.milliseconds = milliseconds;
  made.time_against_none = milliseconds / 100;
  made.counters = {64_MiB, peak, 256_MiB, 256_MiB};
  made.saved = 128_MiB - peak;
  return made;
}

void expect_80_columns(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Dominated, IsARowThatAnotherBeatsInOneAndEqualsOrBeatsInTheOther) {
  const std::vector<checkpointing_figures> rows{
      row("none", 8, 100, 128_MiB),     row("every_layer", 8, 130, 80_MiB),
      row("every_2", 8, 140, 80_MiB),   row("sqrt", 8, 130, 90_MiB),
      row("selective", 8, 90, 127_MiB), row("every_4", 8, 90, 127_MiB)};
  EXPECT_EQ(dominated(rows[0], rows), true);  // by selective, in both
  EXPECT_EQ(dominated(rows[1], rows), false);
  EXPECT_EQ(dominated(rows[2], rows), true);   // as low as every_layer, slower
  EXPECT_EQ(dominated(rows[3], rows), true);   // as fast as every_layer, higher
  EXPECT_EQ(dominated(rows[4], rows), false);  // equals every_4 in both
  EXPECT_EQ(dominated(rows[5], rows), false);
}

TEST(Dominated, ComparesOnlyRowsOfAsManyLayersWithBothFigures) {
  std::vector<checkpointing_figures> rows{row("none", 8, 100, 128_MiB), row("sqrt", 16, 50, 64_MiB),
                                          row("every_2", 8, 50, 64_MiB)};
  rows[2].milliseconds.reset();
  EXPECT_EQ(dominated(rows[0], rows), false);
  EXPECT_EQ(dominated(rows[2], rows), std::nullopt);
}

TEST(CompareTimes, TakesTheRowOfNoneOfAsManyLayers) {
  std::vector<checkpointing_figures> rows{row("sqrt", 8, 150, 1_MiB), row("none", 8, 100, 1_MiB),
                                          row("none", 16, 200, 1_MiB), row("sqrt", 16, 250, 1_MiB),
                                          row("sqrt", 32, 400, 1_MiB)};
  for (checkpointing_figures& each : rows) each.time_against_none.reset();
  compare_times(rows);
  EXPECT_EQ(rows[0].time_against_none, 1.5);
  EXPECT_EQ(rows[1].time_against_none, 1.0);
  EXPECT_EQ(rows[3].time_against_none, 1.25);
  EXPECT_FALSE(rows[4].time_against_none);
  rows[1].milliseconds.reset();
  rows[0].time_against_none.reset();
  compare_times(rows);
  EXPECT_FALSE(rows[0].time_against_none);
}

TEST(CheckpointingTable, ShowsEachFigureOfEachRow) {
  const std::string text =
      checkpointing_table({row("none", 8, 100, 128_MiB), row("every_layer", 8, 133.26, 80_MiB),
                           row("every_2", 8, 140, 90_MiB), row("none", 16, 200, 256_MiB)});
  EXPECT_EQ(text,
            "8 layers, bytes in MiB\n"
            "                 step    of  allocated          reserved           saved of\n"
            "   policy          ms  none    current    peak   current    peak   the peak\n"
            "   none         100.0  1.00      64.00  128.00    256.00  256.00\n"
            "   every_layer  133.3  1.33      64.00   80.00    256.00  256.00  48.00 MiB\n"
            "*  every_2      140.0  1.40      64.00   90.00    256.00  256.00  38.00 MiB\n"
            "\n"
            "16 layers, bytes in MiB\n"
            "            step    of  allocated          reserved          saved of\n"
            "   policy     ms  none    current    peak   current    peak  the peak\n"
            "   none    200.0  2.00      64.00  256.00    256.00  256.00\n"
            "\n"
            "* another policy takes no more time and no more memory, and less of one\n");
}

TEST(CheckpointingTable, SavingNothingIsAResultAndTakingMoreIsNegative) {
  const std::string text =
      checkpointing_table({row("none", 8, 100, 128_MiB), row("every_8", 8, 133, 128_MiB),
                           row("sqrt", 8, 133, 129_MiB)});
  EXPECT_THAT(text, HasSubstr("   nothing\n"));
  EXPECT_THAT(text, HasSubstr("  -1.00 MiB\n"));
}

TEST(CheckpointingTable, WhatWasNotMeasuredIsNoNumber) {
  checkpointing_figures unmeasured;
  unmeasured.policy = "sqrt";
  unmeasured.layers = 8;
  const std::string text = checkpointing_table({unmeasured});
  EXPECT_THAT(text,
              HasSubstr("   sqrt       -     -          -     -         -     -         -\n"));
  EXPECT_THAT(text, Not(HasSubstr("0.00")));
}

TEST(CheckpointingTable, RowsThatFailedHaveAReasonAndNoNumbers) {
  checkpointing_figures failed = row("none", 8, 100, 128_MiB);
  failed.failure =
      "out of memory in the memory pass: phase backward: out of memory on plan:96MiB: "
      "asked 2097152 B for activations";
  const std::string text = checkpointing_table({failed, row("sqrt", 8, 130, 80_MiB)});
  EXPECT_THAT(text, HasSubstr("   none    failed\n"));
  EXPECT_THAT(text, HasSubstr("checkpointing/none: out of memory in the memory pass: phase"));
  EXPECT_THAT(text, Not(HasSubstr("128.00")));
  expect_80_columns(text);
}

TEST(CheckpointingTable, FitsInto80ColumnsUpTo10GiBAndTensOfSeconds) {
  checkpointing_figures large = row("every_layer", 1024, 12345.6, 9_GiB);
  large.time_against_none = 1.33;
  large.counters = {9_GiB, 9_GiB, 9_GiB, 9_GiB};
  large.saved = 9_GiB;
  expect_80_columns(checkpointing_table({large, row("none", 1024, 1, 1_GiB)}));
}

}  // namespace
}  // namespace headroom::kernels
