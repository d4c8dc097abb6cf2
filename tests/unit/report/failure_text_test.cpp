// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/report/failure_text.hpp>

#include <gmock/gmock.h>

#include "support/golden.hpp"
#include "support/scripted_series.hpp"

namespace headroom {
namespace {

using test::end_of;
using test::expect_golden;
using test::scripted_budget;
using test::scripted_series;

std::string text_of(const series_record& series, const budget& against) {
  return failure_text(series, judge(series, against), against, "headroom-artifacts/scripted.json");
}

budget envelope_budget() {
  budget against = scripted_budget();
  limit envelope;
  envelope.at_most_is_envelope = true;
  envelope.line = 18;
  envelope.pointer = "/limits/allocated_peak";
  against.limits[counter_id::allocated_peak] = envelope;
  return against;
}

TEST(FailureText, ExceededNamesPhaseCounterExcessAndHolder) {
  series_record series = scripted_series();
  end_of(series, 4)[counter_id::allocated_peak] = 7_MiB;
  end_of(series, 4).at_allocated_peak->allocated = 7_MiB;
  (*end_of(series, 4).at_allocated_peak->by_tag)[tag::activations] = 3_MiB;
  const std::string text = text_of(series, envelope_budget());
  expect_golden("failure_text/exceeded.txt", text);
  EXPECT_LE(test::longest_line(text), 80u);
}

TEST(FailureText, UnknownSaysWhatWasNotMeasured) {
  series_record series = scripted_series();
  end_of(series, 4)[counter_id::reserved_peak].reset();
  const std::string text = text_of(series, envelope_budget());
  expect_golden("failure_text/unknown.txt", text);
  EXPECT_LE(test::longest_line(text), 80u);
}

TEST(FailureText, OutOfMemoryNamesPhaseRequestAndPartialPeak) {
  series_record series = scripted_series();
  series.phases[5].status = phase_status::failed;
  series.phases[5].error =
      phase_error{"out_of_memory",
                  "out of memory on plan:1GiB: asked 1073741824 B for activations (rounded "
                  "1073741824 B); allocated 4194304 B (peak 6291456 B), reserved 20971520 B (peak "
                  "20971520 B); capacity 1073741824 B; device free 1052770304 B",
                  1_GiB, tag::activations, "plan:1GiB"};
  expect_golden("failure_text/out_of_memory.txt", text_of(series, envelope_budget()));
}

TEST(FailureText, SetupErrorSaysThatNothingWasMeasured) {
  series_record series = scripted_series();
  series.phases.clear();
  series.setup_error = "the meter did not prove itself: plan:1GiB: allocated reads 0 B";
  expect_golden("failure_text/setup_error.txt", text_of(series, envelope_budget()));
}

TEST(FailureText, GrowthHeadroomAndShortfallAreWorded) {
  series_record series = scripted_series();
  *end_of(series, 5)[counter_id::allocated_current] += bytes{512};
  budget against = envelope_budget();
  against.limits[counter_id::allocated_current]->at_most = 1_GiB;
  against.limits[counter_id::reserved_peak]->at_least = 21_MiB;
  against.configurations = {{"a card", "plan:1GiB", 1_GiB, basis::assumed, 1_GiB, 30}};
  expect_golden("failure_text/growth_headroom_shortfall.txt", text_of(series, against));
}

TEST(FailureText, ALongListIsCutAndCounted) {
  budget against = envelope_budget();
  for (int i = 0; i < 14; ++i) {
    against.per_phase.push_back({"model_load", {}});
    against.per_phase.back().limits[counter_id::allocated_peak] = test::at_most(1_MiB);
  }
  EXPECT_THAT(text_of(scripted_series(), against), testing::HasSubstr("  and 4 more\n"));
}

}  // namespace
}  // namespace headroom
