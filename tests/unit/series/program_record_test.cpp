// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/series/program_record.hpp>

#include <gmock/gmock.h>

#include <headroom/series/verdict.hpp>

#include "support/scripted_series.hpp"

namespace headroom {
namespace {

using testing::HasSubstr;

TEST(MayAllocate, OnlyWhatAsksSetsOrGivesBackDoesNot) {
  for (const char* const call :
       {"cudaGetTextureObjectResourceDesc", "cudaGraphGetNodes", "cuCtxGetId", "cublasLtGetVersion",
        "cudaDeviceSetMemPool", "nvmlDeviceGetFanSpeed", "cudaDestroyTextureObject",
        "cuModuleUnload", "cudaMemcpyToArray", "cuEventQuery", "ncclCommDestroy"}) {
    EXPECT_FALSE(may_allocate(call)) << call;
  }
  for (const char* const call :
       {"cudaCreateTextureObject", "cudaMallocArray", "cuModuleLoadData", "cuMemAllocPitch",
        "cudaGraphInstantiate", "cufftPlan1d", "cusolverDnCreate", "ncclCommInitRank", "gemm"}) {
    EXPECT_TRUE(may_allocate(call)) << call;
  }
}

/// The scripted series as that of a program.
series_record program_series() {
  series_record series = test::scripted_series();
  series.program.emplace().command = {"program"};
  return series;
}

budget lenient_budget() {
  budget against;
  against.name = "lenient";
  against.workload = test::scripted_description();
  against.protocol = {1, 2};
  against.limits[counter_id::allocated_peak].emplace().at_most = bytes{std::int64_t{1} << 40};
  return against;
}

TEST(JudgedProgram, ACallThatCouldTakeMemoryIsUnknownUntilItIsAccepted) {
  series_record series = program_series();
  EXPECT_EQ(judge(series, lenient_budget()).outcome, outcome::within);
  series.program->unmodelled = {{"libcudart.so.13", "cudaGetTextureReference", false},
                                {"libcudart.so.13", "cudaMallocArray", true}};
  const verdict open = judge(series, lenient_budget());
  EXPECT_EQ(open.outcome, outcome::unknown);
  EXPECT_THAT(open.reason, HasSubstr("could have taken memory: cudaMallocArray; accept"));
  EXPECT_EQ(judge_without_budget(series).outcome, outcome::unknown);
  series.program->counted = true;
  EXPECT_THAT(judge(series, lenient_budget()).reason,
              HasSubstr("not counted, and took memory: cudaMallocArray; accept"));
  budget accepting = lenient_budget();
  accepting.accepted_calls = {{"cudaMallocArray", "a table of four bytes"}};
  EXPECT_EQ(judge(series, accepting).outcome, outcome::within);
}

TEST(JudgedProgram, OneThatRanWithoutABudgetIsJudgedByAnyWithAWarning) {
  series_record series = program_series();
  series.workload.name = "train.py";
  EXPECT_EQ(judge(series, lenient_budget()).outcome, outcome::setup_error) << "described otherwise";
  series.workload.operation = "run";
  series.workload.revision = series.workload.dtype = not_stated;
  const verdict open = judge(series, lenient_budget());
  EXPECT_EQ(open.outcome, outcome::within);
  EXPECT_THAT(open.warnings, testing::Contains(HasSubstr("\"train.py\" ran without a budget")));
  budget strict = lenient_budget();
  strict.limits[counter_id::allocated_peak]->at_most = bytes{1};
  EXPECT_EQ(judge(series, strict).outcome, outcome::exceeded);
  budget same = lenient_budget();
  same.workload.name = "train.py";
  EXPECT_THAT(judge(series, same).warnings, testing::Not(testing::Contains(HasSubstr("without"))));
  series.program.reset();
  EXPECT_EQ(judge(series, lenient_budget()).outcome, outcome::setup_error) << "no program";
}

TEST(JudgedProgram, AnExceededLimitWeighsMoreThanADoubt) {
  series_record series = program_series();
  series.program->doubt = "memory was refused, and the program went on";
  const verdict open = judge(series, lenient_budget());
  EXPECT_EQ(open.outcome, outcome::unknown);
  EXPECT_EQ(open.reason, "memory was refused, and the program went on");
  budget strict = lenient_budget();
  strict.limits[counter_id::allocated_peak]->at_most = bytes{1};
  EXPECT_EQ(judge(series, strict).outcome, outcome::exceeded);
}

TEST(JudgedProgram, APhaseIsJudgedOnTheCardsOfItsProcess) {
  series_record series = program_series();
  const std::string first = series.devices.front().info.id;
  series.devices.push_back(series.devices.front());
  series.devices.back().info.id = "cuda:7";
  for (const auto& [device, peak] : {std::pair(first, 10), std::pair(std::string("cuda:7"), 20)}) {
    phase_record own = series.phases.front();
    own.name = "load";
    own.readings.resize(1);
    own.readings[0].device = device;
    own.readings[0].end[counter_id::allocated_peak] = bytes{peak};
    series.phases.push_back(own);
  }
  budget against = lenient_budget();
  against.limits = {};
  phase_limits& load = against.per_phase.emplace_back();
  load.phase = "load";
  load.limits[counter_id::allocated_peak].emplace().at_most = bytes{20};
  EXPECT_EQ(judge(series, against).outcome, outcome::within);
  load.limits[counter_id::allocated_peak]->at_most = bytes{19};
  const verdict over = judge(series, against);
  EXPECT_EQ(over.outcome, outcome::exceeded);
  for (const limit_verdict& each : over.limits) {
    EXPECT_EQ(each.result == ruling::exceeded, each.device == "cuda:7") << each.device;
  }
  series.phases.pop_back();
  EXPECT_EQ(judge(series, against).outcome, outcome::unknown) << "one process did not come there";
}

TEST(JudgedProgram, GrowthIsJudgedOnlyWhereTheFileAsksForIt) {
  series_record series = program_series();
  std::erase_if(series.phases,
                [](const phase_record& each) { return each.pass == pass_kind::warm; });
  budget against = lenient_budget();
  against.steady_state_growth = bytes{0};  // what a file without it means
  EXPECT_EQ(judge(series, against).outcome, outcome::within);
  against.steady_state_line = 12;
  EXPECT_EQ(judge(series, against).outcome, outcome::unknown);
  series.program.reset();
  against.steady_state_line = 0;
  EXPECT_EQ(judge(series, against).outcome, outcome::unknown) << "a workload has repeats";
}

TEST(JudgedProgram, HasNoPassesToComplainOf) {
  series_record series = program_series();
  series.protocol = {0, 1};
  EXPECT_THAT(judge(series, lenient_budget()).warnings, testing::IsEmpty());
}

}  // namespace
}  // namespace headroom
