// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <headroom/gtest/matchers.hpp>

#include "support/scripted_series.hpp"

namespace headroom {
namespace {

using test::end_of;
using test::scripted_budget;
using test::scripted_series;

measured_series measured(series_record record) {
  const budget against = scripted_budget();
  verdict result = judge(record, against);
  return {std::move(record), std::move(result), against, "a/scripted.json"};
}

TEST(FitsBudgetMatcher, EqualMatchesAndOneByteMoreExplainsItself) {
  EXPECT_THAT(measured(scripted_series()), FitsBudget(scripted_budget()));
  series_record over = scripted_series();
  *end_of(over, 2)[counter_id::allocated_peak] += bytes{1};
  const measured_series series = measured(over);
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(series, FitsBudget(scripted_budget())),
                          "allocated peak over by 1 B");
}

TEST(FitsBudgetMatcher, AMissingReadingDoesNotMatch) {
  series_record missing = scripted_series();
  end_of(missing, 2)[counter_id::allocated_peak].reset();
  const measured_series series = measured(missing);
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(series, FitsBudget(scripted_budget())),
                          "not judged (unknown)");
}

TEST(ReachesSteadyStateMatcher, GrowthAboveTheToleranceDoesNotMatch) {
  series_record growing = scripted_series();
  *end_of(growing, 5)[counter_id::reserved_current] += bytes{512};
  const measured_series series = measured(growing);
  EXPECT_THAT(series, ReachesSteadyState(bytes{512}));
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(series, ReachesSteadyState()),
                          "reserved current growth over the warm repeats over by 512 B");
}

TEST(CounterAtMostMatcher, JudgesTheWorstOccurrence) {
  series_record record = scripted_series();
  *end_of(record, 5)[counter_id::allocated_peak] += bytes{1};
  const measured_series series = measured(record);
  EXPECT_THAT(series.phase("warm_forward"), AllocatedPeakAtMost(6_MiB + bytes{1}));
  EXPECT_THAT(series.phase("warm_forward"), AllocatedCurrentAtMost(4_MiB));
  EXPECT_THAT(series.phase("warm_forward"), ReservedPeakAtMost(20_MiB));
  EXPECT_THAT(series.phase("warm_forward"), ReservedCurrentAtMost(20_MiB));
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(series.phase("warm_forward"), AllocatedPeakAtMost(6_MiB)),
                          "over by 1 B");
}

TEST(CounterAtMostMatcher, APhaseThatIsNotThereOrNotMeasuredDoesNotMatch) {
  series_record record = scripted_series();
  end_of(record, 4)[counter_id::allocated_peak].reset();
  record.phases[5].status = phase_status::failed;
  const measured_series series = measured(record);
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(series.phase("update"), AllocatedPeakAtMost(1_TiB)),
                          "the series has no phase \"update\"");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(series.phase("warm_forward"), AllocatedPeakAtMost(1_TiB)),
                          "was not measured");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(series.phase("warm_forward"), ReservedPeakAtMost(1_TiB)),
                          "was not measured");
}

}  // namespace
}  // namespace headroom
