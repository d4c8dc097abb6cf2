// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/device/plan_device.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <memory>

#include "same_readings.hpp"
#include "shipped_budgets.hpp"

namespace headroom::kernels {
namespace {

using test::run;
using test::shipped;
using testing::HasSubstr;

class DenseTrainBudget : public testing::TestWithParam<const char*> {
 protected:
  const budget budget_ = shipped(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Shipped, DenseTrainBudget,
                         testing::Values("dense_train_typical", "dense_train_typical_every_layer",
                                         "dense_train_typical_accumulated", "dense_train_long",
                                         "dense_train_long_sqrt", "dense_train_limit",
                                         "dense_train_limit_sqrt", "dense_train_typical_adapters",
                                         "dense_train_typical_adapters_every_layer",
                                         "dense_train_limit_adapters",
                                         "dense_train_limit_adapters_every_3"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(DenseTrainBudget, IsKeptOnThePlanDeviceToTheByte) {
  plan_device plan("24GB");
  dense_training_workload work(budget_.workload);
  const verdict result = judge(run(plan, work, budget_), budget_);
  EXPECT_EQ(result.outcome, outcome::within) << result.reason;
  int phases = 0;
  for (const limit_verdict& each : result.limits) {
    if (each.scope == limit_scope::headroom) continue;  // a margin, not a figure
    EXPECT_EQ(each.measured, each.limit) << each.pointer << " in " << each.phase;
    phases += each.scope == limit_scope::phase ? 1 : 0;
  }
  EXPECT_EQ(phases, 14) << "two counters of model_load, inputs, forward, backward, update, "
                           "evaluate and export";
}

TEST_P(DenseTrainBudget, ReadsTheSameOnCpuAndPlan) {
  budget shorter = budget_;
  shorter.protocol = {0, 1};  // the cold step and one with state: later ones are the same
  plan_device plan("24GB");
  dense_training_workload planned(budget_.workload);
  const series_record on_plan = run(plan, planned, shorter);
  std::unique_ptr<device> cpu;  // before the workload, whose memory is the device's
  if (budget_.envelope() < 1_GiB) {
    cpu = std::make_unique<cpu_device>();
  } else {
    cpu = std::make_unique<test::idle_cpu_device>();
  }
  dense_training_workload computed(budget_.workload);
  test::expect_same_readings(run(*cpu, computed, shorter), on_plan);
}

bytes reserved_for(const budget& against, std::string_view item) {
  for (const reserve_item& each : against.reserve) {
    if (each.name == item) return each.size;
  }
  return {};
}

bytes limit_of(const budget& against, counter_id counter) {
  const limit& own = against.limits[counter].value();
  return own.at_most_is_envelope ? against.envelope() : own.at_most.value();
}

TEST_P(DenseTrainBudget, StatesItsWeightsReserveAndPeaksAsTheyAreComputed) {
  const dense_training_workload work(budget_.workload);
  const dense_training_plan plan = work.plan();
  EXPECT_EQ(budget_.weight_bytes(), plan.sizes.weights);
  EXPECT_EQ(budget_.reserve.size(), 6U);
  EXPECT_EQ(reserved_for(budget_, "inputs"), plan.sizes.inputs);
  EXPECT_EQ(reserved_for(budget_, "activations"), plan.sizes.activations);
  EXPECT_EQ(reserved_for(budget_, "gradients"), plan.sizes.gradients);
  EXPECT_EQ(reserved_for(budget_, "optimizer"), plan.sizes.optimizer);
  EXPECT_EQ(reserved_for(budget_, "temporary"), plan.warm.loss.peak - plan.warm.loss.end);
  EXPECT_EQ(reserved_for(budget_, "workspace"), plan.sizes.workspace);
  const bytes peak = std::max(plan.cold.peak(), plan.warm.peak());
  EXPECT_EQ(limit_of(budget_, counter_id::allocated_peak), peak);
  EXPECT_GE(budget_.envelope(), peak);
  EXPECT_EQ(limit_of(budget_, counter_id::allocated_current), plan.sizes.between_steps());
}

TEST(DenseTrainLimitBudget, OneMoreSequenceDoesNotFitItsCard) {
  for (const auto& [name, phase] : {std::pair{"dense_train_limit", "forward"},
                                    {"dense_train_limit_sqrt", "backward"},
                                    {"dense_train_limit_adapters", "forward"},
                                    {"dense_train_limit_adapters_every_3", "backward"}}) {
    SCOPED_TRACE(name);
    budget against = shipped(name);
    against.workload.requested.set("batch", against.workload.requested.at("batch") + 1);
    plan_device plan("24GB");
    dense_training_workload work(against.workload);
    const verdict result = judge(run(plan, work, against), against);
    EXPECT_EQ(result.outcome, outcome::out_of_memory);
    EXPECT_THAT(result.reason, HasSubstr(std::string("phase ") + phase));
  }
}

TEST(DenseTrainBudgets, CheckpointingSavesWhatTheBudgetsSay) {
  const auto peak = [](const char* name) {
    return limit_of(shipped(name), counter_id::allocated_peak);
  };
  EXPECT_LT(peak("dense_train_typical_every_layer"), peak("dense_train_typical"));
  EXPECT_LT(2 * peak("dense_train_long_sqrt"), peak("dense_train_long"));
  EXPECT_LT(peak("dense_train_typical_adapters_every_layer"), peak("dense_train_typical_adapters"));
  const auto batch = [](const char* name) { return shipped(name).workload.requested.at("batch"); };
  EXPECT_GT(batch("dense_train_limit_sqrt"), 5 * batch("dense_train_limit"));
  EXPECT_GT(batch("dense_train_limit_adapters_every_3"), 4 * batch("dense_train_limit_adapters"));
}

TEST(DenseTrainBudgets, AdaptersTakeOffGradientsAndStateAndNothingElse) {
  const budget all = shipped("dense_train_typical");
  const budget few = shipped("dense_train_typical_adapters");
  EXPECT_GT(reserved_for(all, "gradients"), 30 * reserved_for(few, "gradients"));
  EXPECT_GT(reserved_for(all, "optimizer"), 30 * reserved_for(few, "optimizer"));
  EXPECT_LT(reserved_for(all, "activations"), reserved_for(few, "activations"));
  EXPECT_EQ(reserved_for(all, "inputs"), reserved_for(few, "inputs"));
  EXPECT_GT(4 * limit_of(few, counter_id::allocated_peak),
            3 * limit_of(all, counter_id::allocated_peak));
  EXPECT_EQ(shipped("dense_train_limit_adapters").workload.requested.at("batch"),
            shipped("dense_train_limit").workload.requested.at("batch") + 2);
}

}  // namespace
}  // namespace headroom::kernels
