// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <headroom/core/budget_file.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>
#include <headroom_kernels/dense_workload.hpp>
#include <memory>
#include <vector>

#include "same_readings.hpp"
#include "shipped_budgets.hpp"

namespace headroom::kernels {
namespace {

using test::exceeds;
using test::idle_cpu_device;
using test::run;
using test::shipped;
using testing::HasSubstr;

class DenseBudget : public testing::TestWithParam<const char*> {
 protected:
  const budget budget_ = shipped(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Shipped, DenseBudget,
                         testing::Values("dense_forward_typical", "dense_forward_long",
                                         "dense_forward_limit"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(DenseBudget, IsKeptOnThePlanDeviceToTheByte) {
  plan_device plan("24GB");
  dense_workload work(budget_.workload);
  const series_record series = run(plan, work, budget_);
  const verdict result = judge(series, budget_);
  EXPECT_EQ(result.outcome, outcome::within) << result.reason;
  ASSERT_FALSE(result.limits.empty());
  for (const limit_verdict& each : result.limits) {
    if (each.scope == limit_scope::headroom) continue;  // a margin, not a figure
    EXPECT_EQ(each.measured, each.limit) << each.pointer << " in " << each.phase;
  }
}

TEST_P(DenseBudget, ReadsTheSameOnCpuAndPlan) {
  plan_device plan("24GB");
  dense_workload planned(budget_.workload);
  const series_record on_plan = run(plan, planned, budget_);
  std::unique_ptr<device> cpu;  // before the workload, whose memory is the device's
  if (budget_.envelope() < 1_GiB) {
    cpu = std::make_unique<cpu_device>();
  } else {
    cpu = std::make_unique<idle_cpu_device>();
  }
  dense_workload computed(budget_.workload);
  test::expect_same_readings(run(*cpu, computed, budget_), on_plan);
}

TEST_P(DenseBudget, StatesItsWeightsAndReserveAsTheyAreComputed) {
  const dense_workload work(budget_.workload);
  const dense_forward_plan plan = work.plan();
  EXPECT_EQ(budget_.weight_bytes(), plan.weights);
  ASSERT_EQ(budget_.weights.size(), 1U);
  EXPECT_EQ(budget_.weights[0].parameters, work.dims().parameters());
  ASSERT_EQ(budget_.reserve.size(), 3U);
  EXPECT_EQ(budget_.reserve[0].size, plan.input);
  EXPECT_EQ(budget_.reserve[1].size, plan.activations);
  EXPECT_EQ(budget_.reserve[2].size, plan.workspace);
  EXPECT_EQ(budget_.envelope(), plan.peak());
}

/// The dense network with one defect: the input of the last layer is given back after the pass
/// only.
class forgetful_workload final : public dense_workload {
 public:
  using dense_workload::dense_workload;
  void run_pass(run_context& run) override {
    const tensor kept(run.device(), {}, dims().activation(), dims().type, tag::activations);
    dense_workload::run_pass(run);
  }
};

/// The dense network with another: each pass leaves a tensor behind.
class leaking_workload final : public dense_workload {
 public:
  using dense_workload::dense_workload;
  void run_pass(run_context& run) override {
    dense_workload::run_pass(run);
    left_.emplace_back(run.device(), stream_id{}, dims().activation(), dims().type,
                       tag::activations);
  }

 private:
  std::vector<tensor> left_;
};

TEST_P(DenseBudget, OneTensorKeptDuringAPassExceedsIt) {
  plan_device plan(bytes{std::int64_t{1} << 40});
  forgetful_workload work(budget_.workload);
  const verdict result = judge(run(plan, work, budget_), budget_);
  EXPECT_EQ(result.outcome, outcome::exceeded);
  EXPECT_TRUE(exceeds(result, counter_id::allocated_peak, limit_scope::passes));
}

TEST_P(DenseBudget, OneTensorLeftBehindByEachPassExceedsLevelAndGrowth) {
  plan_device plan(bytes{std::int64_t{1} << 40});
  leaking_workload work(budget_.workload);
  const verdict result = judge(run(plan, work, budget_), budget_);
  EXPECT_EQ(result.outcome, outcome::exceeded);
  EXPECT_TRUE(exceeds(result, counter_id::allocated_current, limit_scope::passes));
  EXPECT_TRUE(exceeds(result, counter_id::allocated_current, limit_scope::growth));
}

TEST(DenseLimitBudget, OneMoreSequenceDoesNotFitItsCard) {
  budget against = shipped("dense_forward_limit");
  against.workload.requested.set("batch", against.workload.requested.at("batch") + 1);
  plan_device plan("24GB");
  dense_workload work(against.workload);
  const verdict result = judge(run(plan, work, against), against);
  EXPECT_EQ(result.outcome, outcome::out_of_memory);
  EXPECT_THAT(result.reason, HasSubstr("cold_forward"));
}

}  // namespace
}  // namespace headroom::kernels
