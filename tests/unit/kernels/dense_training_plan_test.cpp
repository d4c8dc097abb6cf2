// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom_kernels/dense_training_plan.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <map>
#include <string>
#include <tuple>

namespace headroom::kernels {
namespace {

constexpr const char* planned_policies[] = {"none",    "selective", "every_layer", "every_2",
                                            "every_3", "every_7",   "sqrt"};

/// Sizes of which each tensor is a small block: none is handed out with a rest.
/// @param adapters  their rank; 0 for none
workload_description small_training(std::int64_t layers, const char* policy,
                                    std::int64_t adapters = 0) {
  workload_description description;
  description.name = "dense";
  description.operation = "train";
  description.revision = "1";
  description.seed = 1;
  description.dtype = "float32";
  description.requested = {{"batch", 2}, {"context", 16}, {"width", 24}, {"layers", layers}};
  description.options = {{"checkpointing", policy}, {"matrix_workspace", "64 KiB"}};
  if (adapters > 0) description.options.emplace_back("adapters", std::to_string(adapters));
  return description;
}

series_record plan_series(const workload_description& description) {
  plan_device plan(bytes{std::int64_t{1} << 40});
  dense_training_workload work(description);
  series_options options;
  options.protocol = {1, 2};
  return run_series(plan, work, options);
}

bytes read(const phase_record& phase, counter_id counter) {
  return phase.readings.at(0).end[counter].value();
}

void expect_phase(const phase_record& found, const phase_plan& expected) {
  EXPECT_EQ(found.status, phase_status::ok);
  EXPECT_EQ(read(found, counter_id::allocated_peak), expected.peak);
  EXPECT_EQ(read(found, counter_id::allocated_current), expected.end);
}

const phase_plan* planned(const dense_step_plan& step, const std::string& phase) {
  if (phase == "forward") return &step.forward;
  if (phase == "loss") return &step.loss;
  if (phase == "backward") return &step.backward;
  if (phase == "update") return &step.update;
  return nullptr;
}

/// Each phase of one microbatch a step, and each pass, against the plan.
void expect_planned(const workload_description& description) {
  const dense_training_plan plan = dense_training_workload(description).plan();
  int compared = 0;
  for (const phase_record& phase : plan_series(description).phases) {
    SCOPED_TRACE(phase.name + " " + std::to_string(phase.repeat));
    const dense_step_plan& step = phase.pass == pass_kind::cold ? plan.cold : plan.warm;
    if (const phase_plan* inner = planned(step, phase.name)) {
      expect_phase(phase, *inner);
    } else if (phase.pass != pass_kind::setup && phase.pass != pass_kind::after) {
      expect_phase(phase, {step.peak(), plan.sizes.between_steps()});
    } else if (phase.name == "evaluate") {
      expect_phase(phase, plan.evaluate);
    } else if (phase.name == "export") {
      expect_phase(phase, plan.export_weights);
    } else {
      continue;
    }
    ++compared;
  }
  EXPECT_EQ(compared, 4 * 5 + 2);
}

using plan_case = std::tuple<const char*, std::int64_t>;
std::string name_of_plan_case(const testing::TestParamInfo<plan_case>& of) {
  const auto& [policy, adapters] = of.param;
  return fmt::format("{}_rank_{}", policy, adapters);
}
class DenseTrainingPlan : public testing::TestWithParam<plan_case> {
 protected:
  static workload_description small(std::int64_t layers) {
    const auto& [policy, adapters] = GetParam();
    return small_training(layers, policy, adapters);
  }
};
INSTANTIATE_TEST_SUITE_P(Policies, DenseTrainingPlan,
                         testing::Combine(testing::ValuesIn(planned_policies),
                                          testing::Values(0, 3)),
                         name_of_plan_case);

TEST_P(DenseTrainingPlan, EqualsTheCountersFrom7To1024Layers) {
  for (const std::int64_t layers : {7, 16, 17, 64, 250, 1024}) {
    SCOPED_TRACE(layers);
    expect_planned(small(layers));
  }
}

TEST_P(DenseTrainingPlan, EqualsTheCountersForEachLossOptimizerAndType) {
  for (const char* loss : {"cross_entropy", "mean_squared_error"}) {
    for (const char* optimizer : {"sgd", "adamw"}) {
      for (const char* type : {"float32", "bfloat16"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", loss, optimizer, type));
        workload_description description = small(9);
        description.dtype = type;
        description.options.emplace_back("loss", loss);
        description.options.emplace_back("optimizer", optimizer);
        expect_planned(description);
      }
    }
  }
}

TEST_P(DenseTrainingPlan, EqualsTheCountersOfTheWorstMicrobatch) {
  workload_description description = small(9);
  description.requested.set("batch", 6);
  description.requested.set("microbatches", 3);
  const dense_training_plan plan = dense_training_workload(description).plan();
  std::map<std::string, phase_plan> worst;
  for (const phase_record& phase : plan_series(description).phases) {
    if (phase.pass != pass_kind::warm || phase.repeat != 1) continue;
    phase_plan& known = worst[phase.name];
    known.peak = std::max(known.peak, read(phase, counter_id::allocated_peak));
    known.end = std::max(known.end, read(phase, counter_id::allocated_current));
  }
  ASSERT_EQ(worst.size(), 5U);
  for (const auto& [name, found] : worst) {
    SCOPED_TRACE(name);
    if (const phase_plan* expected = planned(plan.warm, name)) {
      EXPECT_EQ(found.peak, expected->peak);
      EXPECT_EQ(found.end, expected->end);
    } else {
      EXPECT_EQ(found.peak, plan.warm.peak());
    }
  }
}

TEST_P(DenseTrainingPlan, ReadsWhatIsKeptOffTheCountersAfterForward) {
  for (const std::int64_t layers : {16, 100, 1024}) {
    const workload_description description = small(layers);
    const dense_training_sizes sizes = dense_training_workload(description).plan().sizes;
    for (const phase_record& phase : plan_series(description).phases) {
      if (phase.name != "forward" || phase.pass != pass_kind::warm) continue;
      const bytes grown =
          read(phase, counter_id::allocated_current) - phase.readings[0].begin_allocated.value();
      EXPECT_EQ(grown, sizes.kept + sizes.activation) << layers;  // and the output
    }
  }
}

/// The most that activations take at a time in a warm step, in tensors of one activation.
/// Parameters are so few that the peak of all bytes is that of activations.
double most_tensors(std::int64_t layers, const char* policy) {
  workload_description description = small_training(layers, policy);
  description.requested.set("batch", 128);
  description.requested.set("context", 1024);
  description.requested.set("width", 1);
  const dense_training_sizes sizes = dense_training_workload(description).plan().sizes;
  bytes most;
  for (const phase_record& phase : plan_series(description).phases) {
    if (phase.pass != pass_kind::warm || !phase.parent) continue;
    most = std::max(most, (*phase.readings[0].end.at_allocated_peak->by_tag)[tag::activations]);
  }
  EXPECT_EQ(most, sizes.activations) << policy;
  return static_cast<double>(most.n) / static_cast<double>(sizes.activation.n);
}

TEST(DenseTrainingPlan, EachPolicyKeepsItsLawFrom16To1024Layers) {
  // One layer's working set: the output's gradient, and an input or its gradient.
  constexpr double working_set = 2;
  for (const std::int64_t layers : {16, 32, 64, 100, 128, 256, 512, 1024}) {
    SCOPED_TRACE(layers);
    const auto count = static_cast<double>(layers);
    EXPECT_EQ(most_tensors(layers, "none"), 2 * count);  // the last output is one of them
    EXPECT_EQ(most_tensors(layers, "selective"), count + 1);
    EXPECT_EQ(most_tensors(layers, "every_layer"), count + 1);
    EXPECT_LE(most_tensors(layers, "sqrt"), 2 * std::sqrt(count) + 2 + working_set);
    EXPECT_GT(most_tensors(layers, "sqrt"), std::sqrt(count));
    EXPECT_LE(most_tensors(layers, "every_2"), count / 2 + 1 + 2 + working_set);
    EXPECT_LE(most_tensors(layers, "every_7"), count / 7 + 1 + 7 + working_set);
  }
}

TEST(DenseTrainingPlan, SaysWhatAPolicySavesAndThatItSavesNothing) {
  const auto said = [](std::int64_t layers, const char* policy) {
    for (const auto& [name, value] :
         dense_training_workload(small_training(layers, policy)).settings()) {
      if (name == "checkpointing_saves") return value;
    }
    return std::string("(not said)");
  };
  for (const char* policy : {"selective", "every_layer", "every_1", "sqrt"}) {
    EXPECT_EQ(said(1, policy), "nothing") << policy;
  }
  EXPECT_EQ(said(2, "every_2"), "nothing") << "a product and an input less, but two tensors beside";
  EXPECT_EQ(said(9, "none"), "(not said)");
  // Tensors of 3072 B: 18 without checkpointing, 10 with every layer's input kept.
  EXPECT_EQ(said(9, "every_layer"), "24576 B of activations, computed");
  // Two segments' inputs, three products, two beside.
  EXPECT_EQ(said(9, "sqrt"), "33792 B of activations, computed");
}

TEST(DenseTrainingPlan, RefusesSizesWhoseSumDoesNotFit64Bits) {
  dense_training_shape dims;
  dims.workspace = bytes{1};
  dims.microbatch = {1, 1, 1 << 30, 4, dtype::bfloat16};  // 2^63 B of weights
  EXPECT_THROW(static_cast<void>(size_dense_training(dims)), usage_error);
  dims.microbatch = {std::int64_t{1} << 40, 1 << 20, 1, 1, dtype::float32};
  EXPECT_THROW(static_cast<void>(size_dense_training(dims)), usage_error);
  dims.microbatch = {1, 1, 1 << 10, 4, dtype::float32};
  dims.microbatches = std::int64_t{1} << 60;
  EXPECT_THROW(static_cast<void>(size_dense_training(dims)), usage_error);
  dims.microbatches = 1;
  dims.microbatch.layers = std::int64_t{1} << 36;  // 2^57 numbers: gradients, state and activations
  EXPECT_NO_THROW(static_cast<void>(size_dense_training(dims)));
  dims.microbatch.layers = std::int64_t{1} << 39;
  EXPECT_THROW(static_cast<void>(size_dense_training(dims)), usage_error);
}

}  // namespace
}  // namespace headroom::kernels
