// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The workload "dense" with adapters: its options, its phases, and that few trained parameters do
// not make a small peak.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <headroom_kernels/dense_workload.hpp>
#include <headroom_kernels/workloads.hpp>
#include <iterator>

#include "run_workload.hpp"
#include "same_readings.hpp"

namespace headroom::kernels {
namespace {

using test::run;

using testing::HasSubstr;
using testing::Pair;

using named_options = std::vector<std::pair<std::string, std::string>>;

workload_description small(const char* operation, const named_options& given) {
  workload_description description;
  description.name = "dense";
  description.operation = operation;
  description.revision = "1";
  description.seed = 1234;
  description.dtype = "float32";
  description.requested = {{"batch", 4}, {"context", 16}, {"width", 48}, {"layers", 4}};
  description.options = given;
  return description;
}

std::string refusal(const char* operation, const named_options& given) {
  try {
    static_cast<void>(make_workload(small(operation, given)));
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(DenseAdapterOptions, AreRefusedWithWhatToWriteInstead) {
  for (const char* operation : {"forward", "train"}) {
    SCOPED_TRACE(operation);
    EXPECT_EQ(refusal(operation, {{"adapters", "1"}}), "(not refused)");
    EXPECT_EQ(refusal(operation, {{"adapters", "48"}, {"adapter_scale", "0.5"}}), "(not refused)");
    for (const char* rank : {"0", "-1", "49", "8 ", "", "eight", "8.0", "99999999999999999999"}) {
      EXPECT_EQ(refusal(operation, {{"adapters", rank}}),
                "adapters is \"" + std::string(rank) +
                    "\"; give the adapters' rank, from 1 to the width 48, for example \"8\", or "
                    "leave the option out to train all weights");
    }
    for (const char* scale : {"0", "-1", "nan", "inf", "2x", ""}) {
      EXPECT_EQ(refusal(operation, {{"adapters", "8"}, {"adapter_scale", scale}}),
                "adapter_scale is \"" + std::string(scale) +
                    "\"; give a number above 0, for example \"1\"");
    }
    EXPECT_EQ(refusal(operation, {{"adapter_scale", "2"}}),
              "adapter_scale is given without adapters; give their rank as well, for example "
              "adapters \"8\", or leave the scale out");
  }
}

std::string text_of_file(const std::string& name) {
  std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(DenseAdapterOptions, AreRecorded) {
  for (const char* operation : {"forward", "train"}) {
    const auto work =
        make_workload(small(operation, {{"adapters", "8"}, {"adapter_scale", "0.5"}}));
    EXPECT_THAT(work->settings(),
                testing::IsSupersetOf({Pair("adapters", "8"), Pair("adapter_scale", "0.5")}));
    const auto plain = make_workload(small(operation, {}));
    EXPECT_THAT(plain->settings(), testing::Not(testing::Contains(Pair("adapters", testing::_))));
  }
}

TEST(DenseAdapterTraining, ReadsTheSameOnCpuAndPlanForEachPolicyAndType) {
  for (const char* policy : {"none", "selective", "every_layer", "every_2", "every_3", "sqrt"}) {
    for (const char* type : {"float32", "bfloat16"}) {
      SCOPED_TRACE(std::string(policy) + " " + type);
      workload_description description = small(
          "train", {{"checkpointing", policy}, {"adapters", "5"}, {"verify", "checkpointing"}});
      description.dtype = type;
      description.requested.set("microbatches", 2);
      cpu_device cpu;
      plan_device plan(bytes{std::int64_t{1} << 40});
      dense_training_workload computed(description);
      dense_training_workload planned(description);
      const series_record on_cpu = run(cpu, computed);
      test::expect_same_readings(on_cpu, run(plan, planned));
      ASSERT_EQ(on_cpu.checks.size(), 2U);
      EXPECT_EQ(on_cpu.checks[0].detail, "1920 of 1920 parameters written, 1920 of them finite");
      EXPECT_TRUE(on_cpu.checks[1].passed) << on_cpu.checks[1].detail;
      // Losses of 4 steps; all weights; gradients of the adapters alone.
      EXPECT_THAT(on_cpu.checks[1].detail, HasSubstr("after 4 steps: 13252 numbers of losses"));
    }
  }
}

TEST(DenseAdapterForward, ReadsTheSameOnCpuAndPlan) {
  cpu_device cpu;
  plan_device plan(bytes{std::int64_t{1} << 40});
  dense_workload computed(small("forward", {{"adapters", "5"}}));
  dense_workload planned(small("forward", {{"adapters", "5"}}));
  test::expect_same_readings(run(cpu, computed), run(plan, planned));
}

/// A row of the table in docs/training.md.
std::string row(std::string_view trained, std::string_view checkpointing,
                const dense_training_shape& of) {
  const dense_training_plan plan = plan_dense_training(of);
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", trained, checkpointing,
                     of.microbatch.trained_parameters(),
                     format_exact(plan.sizes.gradients + plan.sizes.optimizer),
                     format_exact(plan.sizes.activations), format_exact(plan.warm.peak()));
}

TEST(DenseAdapterTraining, FewTrainedParametersDoNotMakeASmallPeak) {
  workload_description description = small("train", {});
  description.requested = {{"batch", 8}, {"context", 2048}, {"width", 4096}, {"layers", 32}};
  description.dtype = "bfloat16";
  const auto planned = [&](const named_options& given) {
    description.options = given;
    return dense_training_workload(description).dims();
  };
  const dense_training_shape all = planned({});
  const dense_training_shape few = planned({{"adapters", "16"}});
  const dense_training_shape few_sqrt = planned({{"adapters", "16"}, {"checkpointing", "sqrt"}});
  const std::string page = text_of_file("docs/training.md");
  EXPECT_THAT(page, HasSubstr(row("all weights", "none", all)));
  EXPECT_THAT(page, HasSubstr(row("adapters of rank 16", "none", few)));
  EXPECT_THAT(page, HasSubstr(row("adapters of rank 16", "sqrt", few_sqrt)));

  // 128 times fewer trained parameters have as many times fewer gradients and state.
  const dense_training_plan plan_all = plan_dense_training(all);
  const dense_training_plan plan_few = plan_dense_training(few);
  const std::int64_t trained = few.microbatch.trained_parameters();
  EXPECT_GT(all.microbatch.trained_parameters(), 128 * trained);
  EXPECT_EQ(plan_few.sizes.gradients, bytes{4 * trained});
  EXPECT_EQ(plan_few.sizes.optimizer, bytes{12 * trained});
  // What they ask for themselves is less than a hundredth of the peak, which is more than half of
  // the one with all weights trained: activations are no fewer.
  const bytes own = bytes{2 * trained} + plan_few.sizes.gradients + plan_few.sizes.optimizer;
  EXPECT_LT(100 * own, plan_few.warm.peak());
  EXPECT_GT(2 * plan_few.warm.peak(), plan_all.warm.peak());
  EXPECT_GT(plan_few.sizes.activations, plan_all.sizes.activations);
}

}  // namespace
}  // namespace headroom::kernels
