// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <headroom/series/verdict.hpp>

#include "support/scripted_series.hpp"

namespace headroom {
namespace {

using test::at_most;
using test::end_of;
using test::scripted_budget;
using test::scripted_series;

constexpr std::size_t cold = 2;
constexpr std::size_t warmup = 3;
constexpr std::size_t warm_1 = 4;
constexpr std::size_t warm_2 = 5;

const limit_verdict& only(const verdict& result, ruling which) {
  const limit_verdict* found = nullptr;
  for (const limit_verdict& each : result.limits) {
    if (each.result != which) continue;
    EXPECT_EQ(found, nullptr) << "more than one limit is " << name_of(which);
    found = &each;
  }
  if (found == nullptr) throw std::runtime_error("no limit has the ruling");
  return *found;
}

TEST(Judge, EqualToEveryLimitIsWithin) {
  const verdict result = judge(scripted_series(), scripted_budget());
  EXPECT_EQ(result.outcome, outcome::within) << result.reason;
  EXPECT_EQ(result.limits.size(), 6u);  // four counters, growth of two
  EXPECT_TRUE(result.warnings.empty());
}

TEST(Judge, OneByteOverFailsInEachCounterAndNamesThePass) {
  for (const counter_id counter : all_counters) {
    series_record series = scripted_series();
    for (const std::size_t i : {cold, warm_1, warm_2}) *end_of(series, i)[counter] += bytes{1};
    *end_of(series, warm_1)[counter] += bytes{1};  // the worst of the three
    series.phases[warm_2].readings[0].end[counter] = series.phases[warm_1].readings[0].end[counter];
    const verdict result = judge(series, scripted_budget());
    EXPECT_EQ(result.outcome, outcome::exceeded) << name_of(counter);
    const limit_verdict& over = only(result, ruling::exceeded);
    EXPECT_EQ(over.counter, counter);
    EXPECT_EQ(over.excess(), bytes{2});
    EXPECT_EQ(over.phase, "warm_forward");
    EXPECT_EQ(over.repeat, 1);
  }
}

TEST(Judge, TheColdPassAloneFails) {
  series_record series = scripted_series();
  *end_of(series, cold)[counter_id::allocated_peak] += bytes{1};
  const limit_verdict over = only(judge(series, scripted_budget()), ruling::exceeded);
  EXPECT_EQ(over.pass, pass_kind::cold);
  EXPECT_EQ(over.phase, "cold_forward");
}

TEST(Judge, WarmupsAndInnerPhasesAreNotJudged) {
  series_record series = scripted_series();
  *end_of(series, warmup)[counter_id::allocated_peak] += 1_GiB;
  phase_record inner = series.phases[warm_1];
  inner.parent = "warm_forward";
  inner.name = "prefill";
  inner.readings[0].end[counter_id::allocated_peak] = 9_GiB;
  series.phases.push_back(inner);
  EXPECT_EQ(judge(series, scripted_budget()).outcome, outcome::within);
}

TEST(Judge, AMissingReadingIsUnknownNeverWithin) {
  for (const counter_id counter : all_counters) {
    series_record series = scripted_series();
    end_of(series, warm_1)[counter].reset();
    const verdict result = judge(series, scripted_budget());
    EXPECT_EQ(result.outcome, outcome::unknown) << name_of(counter);
  }
}

TEST(Judge, AMissingReadingDoesNotHideAnExcess) {
  series_record series = scripted_series();
  end_of(series, warm_1)[counter_id::allocated_peak].reset();
  *end_of(series, cold)[counter_id::allocated_peak] += bytes{1};
  EXPECT_EQ(judge(series, scripted_budget()).outcome, outcome::exceeded);
}

TEST(Judge, AWaivedCounterIsNotJudgedAndSaysSo) {
  budget against = scripted_budget();
  against.limits[counter_id::reserved_peak] = limit{};
  against.limits[counter_id::reserved_peak]->waived = "the cache is kept on purpose";
  series_record series = scripted_series();
  end_of(series, cold)[counter_id::reserved_peak].reset();
  const verdict result = judge(series, against);
  EXPECT_EQ(result.outcome, outcome::within) << result.reason;
  EXPECT_EQ(only(result, ruling::waived).reason, "the cache is kept on purpose");
}

TEST(Judge, NothingButWaiversIsNoPass) {
  budget against = scripted_budget();
  against.steady_state_growth.reset();
  for (const counter_id counter : all_counters) {
    against.limits[counter] = limit{};
    against.limits[counter]->waived = "not yet";
  }
  EXPECT_EQ(judge(scripted_series(), against).outcome, outcome::unknown);
}

TEST(Judge, BelowAtLeastFailsByTheShortfall) {
  budget against = scripted_budget();
  against.limits[counter_id::allocated_peak]->at_least = 6_MiB;
  EXPECT_EQ(judge(scripted_series(), against).outcome, outcome::within);
  series_record series = scripted_series();
  *end_of(series, warm_2)[counter_id::allocated_peak] -= bytes{3};
  const limit_verdict under = only(judge(series, against), ruling::exceeded);
  EXPECT_EQ(under.bound, bound::at_least);
  EXPECT_EQ(under.excess(), bytes{3});
  EXPECT_EQ(under.repeat, 2);
}

TEST(Judge, ColdAndWarmCanBeLimitedApart) {
  budget against = scripted_budget();
  against.limits[counter_id::allocated_peak].reset();
  against.cold_limits[counter_id::allocated_peak] = at_most(9_MiB);
  against.warm_limits[counter_id::allocated_peak] = at_most(6_MiB);
  series_record series = scripted_series();
  end_of(series, cold)[counter_id::allocated_peak] = 9_MiB;
  EXPECT_EQ(judge(series, against).outcome, outcome::within);
  end_of(series, warm_1)[counter_id::allocated_peak] = 9_MiB;
  EXPECT_EQ(only(judge(series, against), ruling::exceeded).scope, limit_scope::warm);
}

TEST(Judge, APhaseLimitJudgesThatPhaseAndFailsWhenItDidNotRun) {
  budget against = scripted_budget();
  against.per_phase.push_back({"model_load", {}});
  against.per_phase[0].limits[counter_id::allocated_peak] = at_most(4_MiB);
  EXPECT_EQ(judge(scripted_series(), against).outcome, outcome::within);
  against.per_phase[0].limits[counter_id::allocated_peak] = at_most(4_MiB - bytes{1});
  EXPECT_EQ(only(judge(scripted_series(), against), ruling::exceeded).phase, "model_load");
  against.per_phase[0].phase = "export";
  EXPECT_EQ(judge(scripted_series(), against).outcome, outcome::unknown);
}

TEST(Judge, GrowthIsJudgedOnAllocatedAndReserved) {
  for (const counter_id counter : {counter_id::allocated_current, counter_id::reserved_current}) {
    budget against = scripted_budget();
    against.limits[counter] = at_most(1_GiB);
    against.steady_state_growth = bytes{512};
    series_record series = scripted_series();
    *end_of(series, warm_2)[counter] += bytes{512};
    EXPECT_EQ(judge(series, against).outcome, outcome::within);
    *end_of(series, warm_2)[counter] += bytes{1};
    const verdict result = judge(series, against);
    EXPECT_EQ(only(result, ruling::exceeded).scope, limit_scope::growth);
    EXPECT_EQ(only(result, ruling::exceeded).measured, bytes{513});
    EXPECT_EQ(result.warnings.size(), 1u);  // the spread is wider than the tolerance
  }
}

TEST(Judge, GrowthOfOneRepeatIsUnknown) {
  series_record series = scripted_series();
  series.phases.pop_back();
  EXPECT_EQ(judge(series, scripted_budget()).outcome, outcome::unknown);
}

TEST(Judge, HeadroomIsJudgedOnTheDeclaredCapacityAndMayBeNegative) {
  budget against = scripted_budget();
  configuration card{"a card", "plan:1GiB", 2_GiB, basis::assumed, 1_GiB - 20_MiB, 12};
  against.configurations = {card};
  EXPECT_EQ(judge(scripted_series(), against).outcome, outcome::within);
  against.configurations[0].minimum_headroom = 1_GiB - 20_MiB + bytes{1};
  EXPECT_EQ(only(judge(scripted_series(), against), ruling::exceeded).measured, 1_GiB - 20_MiB);
  series_record series = scripted_series();
  series.devices[0].info.capacity = 16_MiB;
  EXPECT_EQ(only(judge(series, against), ruling::exceeded).measured, -4_MiB);
  against.configurations[0].device = "another card";
  EXPECT_EQ(judge(series, against).outcome, outcome::within);
}

TEST(Judge, DeviceOverridesReplaceTheGeneralLimit) {
  budget against = scripted_budget();
  device_override special{"plan:1GiB", std::nullopt, {}};
  special.limits[counter_id::allocated_peak] = at_most(5_MiB);
  against.per_device = {special};
  EXPECT_EQ(only(judge(scripted_series(), against), ruling::exceeded).limit, 5_MiB);
}

TEST(Judge, EnvelopeIsTheSumOfWeightsAndReserve) {
  budget against = scripted_budget();
  limit envelope;
  envelope.at_most_is_envelope = true;
  against.limits[counter_id::allocated_peak] = envelope;
  EXPECT_EQ(judge(scripted_series(), against).outcome, outcome::within);
  against.reserve[0].size -= bytes{1};
  EXPECT_EQ(only(judge(scripted_series(), against), ruling::exceeded).from_envelope, true);
}

TEST(Judge, AFailedPhaseIsTheOutcomeAndItsPartialPeakJudgesNothing) {
  series_record series = scripted_series();
  series.phases[warm_2].status = phase_status::failed;
  series.phases[warm_2].error = phase_error{"out_of_memory", "asked 1 B", bytes{1}, tag::other, ""};
  const verdict refused = judge(series, scripted_budget());
  EXPECT_EQ(refused.outcome, outcome::out_of_memory);
  for (const limit_verdict& each : refused.limits) EXPECT_EQ(each.result, ruling::unknown);
  series.phases[warm_2].error->kind = "workload_error";
  EXPECT_EQ(judge(series, scripted_budget()).outcome, outcome::failed);
}

TEST(Judge, AFailedCheckFailsTheRun) {
  series_record series = scripted_series();
  series.checks.push_back({"checkpointing agrees", false, 0.5, 0.0, "differs by 0.5"});
  EXPECT_EQ(judge(series, scripted_budget()).outcome, outcome::failed);
}

TEST(Judge, ATruncatedLoadIsNotValidated) {
  series_record series = scripted_series();
  series.executed.set("batch", 1);
  const verdict result = judge(series, scripted_budget());
  EXPECT_EQ(result.outcome, outcome::unknown);
  EXPECT_THAT(result.reason, testing::HasSubstr("asked for batch 2, ran batch 1"));
}

TEST(Judge, AnotherWorkloadIsASetupError) {
  const auto outcome_with = [](auto change) {
    series_record series = scripted_series();
    change(series.workload);
    series.executed = series.workload.requested;
    return judge(series, scripted_budget()).outcome;
  };
  EXPECT_EQ(outcome_with([](auto& w) { w.name = "other"; }), outcome::setup_error);
  EXPECT_EQ(outcome_with([](auto& w) { w.operation = "other"; }), outcome::setup_error);
  EXPECT_EQ(outcome_with([](auto& w) { w.revision = "2"; }), outcome::setup_error);
  EXPECT_EQ(outcome_with([](auto& w) { w.seed = 8; }), outcome::setup_error);
  EXPECT_EQ(outcome_with([](auto& w) { w.dtype = "bfloat16"; }), outcome::setup_error);
  EXPECT_EQ(outcome_with([](auto& w) { w.requested.set("batch", 3); }), outcome::setup_error);
  EXPECT_EQ(outcome_with([](auto& w) { w.options = {{"a", "b"}}; }), outcome::setup_error);
}

TEST(Judge, SkipAndSetupErrorComeFirst) {
  series_record series = scripted_series();
  series.setup_error = "the meter did not prove itself";
  EXPECT_EQ(judge(series, scripted_budget()).outcome, outcome::setup_error);
  series.skipped = "no GPU";
  EXPECT_EQ(judge(series, scripted_budget()).outcome, outcome::skipped);
}

TEST(Judge, WarnsOfAnotherProtocolAndOfAnOldProcess) {
  series_record series = scripted_series();
  series.fresh_process = false;
  series.protocol = {0, 2};
  const verdict result = judge(series, scripted_budget());
  EXPECT_EQ(result.outcome, outcome::within);
  EXPECT_THAT(result.warnings, testing::ElementsAre(testing::HasSubstr("fresh process"),
                                                    testing::HasSubstr("0 warmups")));
}

TEST(JudgeWithoutBudget, IsWithinUnlessTheRunItselfWentWrong) {
  const series_record series = scripted_series();
  const verdict good = judge_without_budget(series);
  EXPECT_EQ(good.outcome, outcome::within);
  EXPECT_EQ(good.reason, "no budget: nothing was judged");
  EXPECT_TRUE(good.limits.empty());

  series_record failed = series;
  failed.phases[warm_1].status = phase_status::failed;
  failed.phases[warm_1].error = phase_error{"out_of_memory", "refused 8 B", {}, {}, ""};
  EXPECT_EQ(judge_without_budget(failed).outcome, outcome::out_of_memory);
  EXPECT_EQ(judge_without_budget(failed).reason, "phase warm_forward: refused 8 B");

  series_record wrong = series;
  wrong.checks = {{"results", false, {}, {}, "other bits"}};
  EXPECT_EQ(judge_without_budget(wrong).outcome, outcome::failed);
  EXPECT_EQ(judge_without_budget(wrong).reason, "check results: other bits");

  series_record smaller = series;
  smaller.executed.set("batch", 1);
  EXPECT_EQ(judge_without_budget(smaller).outcome, outcome::unknown);

  series_record unproven = series;
  unproven.setup_error = "the meter did not prove itself";
  EXPECT_EQ(judge_without_budget(unproven).outcome, outcome::setup_error);
  unproven.skipped = "no GPU";
  EXPECT_EQ(judge_without_budget(unproven).outcome, outcome::skipped);
}

TEST(Judge, ARehearsalIsNeverAPass) {
  series_record series = scripted_series();
  ASSERT_EQ(judge(series, scripted_budget()).outcome, outcome::within);
  series.devices[0].rehearsed = rehearsal_record{"segment:2", 5, 3, 1};
  verdict result = judge(series, scripted_budget());
  EXPECT_EQ(result.outcome, outcome::unknown);
  EXPECT_EQ(result.reason, "rehearsal segment:2: the workload went on; a rehearsal is no pass");
  series.devices[0].rehearsed->refused = 0;
  result = judge(series, scripted_budget());
  EXPECT_EQ(result.outcome, outcome::unknown);
  EXPECT_THAT(result.reason, testing::HasSubstr("no such request was made"));
  series.phases[2].status = phase_status::failed;
  series.phases[2].error = phase_error{"out_of_memory", "refused", 1_MiB, tag::weights, ""};
  result = judge(series, scripted_budget());
  EXPECT_EQ(result.outcome, outcome::out_of_memory);
  EXPECT_EQ(result.reason, "rehearsal segment:2: phase cold_forward: refused");
}

TEST(Judge, WarnsWhereTheDeviceRefusedAndWasAskedAgain) {
  series_record series = scripted_series();
  end_of(series, 3).retries = 2;
  const verdict result = judge(series, scripted_budget());
  EXPECT_EQ(result.outcome, outcome::within);
  EXPECT_THAT(result.warnings,
              testing::ElementsAre(testing::HasSubstr("plan:1GiB: the device refused memory 2")));
}

TEST(Outcome, OnlyWithinIsGreen) {
  for (const outcome each :
       {outcome::within, outcome::exceeded, outcome::unknown, outcome::out_of_memory,
        outcome::failed, outcome::setup_error, outcome::skipped}) {
    EXPECT_EQ(exit_code_of(each) == 0, each == outcome::within) << name_of(each);
    EXPECT_EQ(outcome_from_name(name_of(each)), each);
  }
  EXPECT_EQ(outcome_from_name("passed"), std::nullopt);
}

}  // namespace
}  // namespace headroom
