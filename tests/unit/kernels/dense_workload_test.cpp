// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <headroom/core/card.hpp>
#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom_kernels/dense_workload.hpp>
#include <headroom_kernels/workloads.hpp>

#include "values.hpp"

namespace headroom::kernels {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

workload_description small_dense() {
  workload_description description;
  description.name = "dense";
  description.operation = "forward";
  description.revision = "1";
  description.seed = 1234;
  description.dtype = "float32";
  description.requested = {{"batch", 2}, {"context", 16}, {"width", 96}, {"layers", 3}};
  return description;
}

/// What make_workload says of a description that was changed.
std::string refusal(const std::function<void(workload_description&)>& change) {
  workload_description description = small_dense();
  change(description);
  try {
    static_cast<void>(make_workload(description));
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(MakeWorkload, RefusesWhatDenseDoesNotKnowAndSaysWhatToWrite) {
  EXPECT_EQ(refusal([](auto&) {}), "(not refused)");
  EXPECT_EQ(refusal([](auto& d) { d.name = "dnese"; }),
            "there is no workload \"dnese\"; there is \"dense\"");
  EXPECT_EQ(refusal([](auto& d) { d.operation = "decode"; }),
            "the workload \"dense\" has no operation \"decode\"; write \"forward\" or "
            "\"train\"");
  EXPECT_EQ(refusal([](auto& d) { d.dtype = "fp16"; }),
            "unknown dtype \"fp16\"; write \"float32\" or \"bfloat16\"");
  EXPECT_EQ(
      refusal([](auto& d) { d.requested.set("heads", 4); }),
      "the workload \"dense\" has no dimension \"heads\"; it has batch, context, width and layers");
  EXPECT_EQ(refusal([](auto& d) {
              d.requested = {{"batch", 2}, {"context", 8}, {"width", 4}};
            }),
            "the workload \"dense\" has no size for \"layers\"; give batch, context, width and "
            "layers, each 1 or more");
  EXPECT_EQ(refusal([](auto& d) { d.requested.set("width", 0); }),
            "the workload \"dense\" has width = 0; give 1 or more");
  EXPECT_EQ(refusal([](auto& d) { d.requested.set("batch", -2); }),
            "the workload \"dense\" has batch = -2; give 1 or more");
  EXPECT_EQ(refusal([](auto& d) {
              d.options = {{"policy", "none"}};
            }),
            "the workload \"dense\" has no option \"policy\"; it has \"adapters\", "
            "\"adapter_scale\", \"matrix_workspace\"");
}

TEST(MakeWorkload, RefusesSizesThatDoNotFitBeforeAnythingIsAllocated) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_THAT(refusal([&](auto& d) { d.requested.set("width", large); }),
              HasSubstr("the parameters, layers 3 x (width 1099511627776"));
  EXPECT_THAT(refusal([&](auto& d) {
                d.requested.set("batch", large);
                d.requested.set("context", large);
              }),
              HasSubstr("the elements of [batch 1099511627776, context 1099511627776, width 96]"));
}

TEST(DenseWorkload, TakesItsWorkspaceFromAnOption) {
  EXPECT_THAT(dense_workload(small_dense()).settings(),
              ElementsAre(Pair("matrix_workspace", "8388608 B")));
  workload_description description = small_dense();
  description.options = {{"matrix_workspace", "3 MiB"}};
  const dense_workload work(description);
  EXPECT_THAT(work.settings(), ElementsAre(Pair("matrix_workspace", "3145728 B")));
  EXPECT_EQ(work.plan().workspace, bytes{3 << 20});
  description.options = {{"matrix_workspace", "h100"}};
  dense_workload of_card(description);
  EXPECT_THAT(of_card.settings(), ElementsAre(Pair("matrix_workspace", "33554432 B")));
  EXPECT_EQ(of_card.plan().workspace, find_card("h100")->workspace.value);
  EXPECT_THAT(refusal([](auto& d) {
                d.options = {{"matrix_workspace", "3"}};
              }),
              HasSubstr("\"3\""));
  EXPECT_EQ(refusal([](auto& d) {
              d.options = {{"matrix_workspace", "0 B"}};
            }),
            "matrix_workspace is \"0 B\"; give 1 B or more");
  EXPECT_EQ(refusal([](auto& d) {
              d.options = {{"matrix_workspace", "h10"}};
            }),
            "matrix_workspace is \"h10\"; give a size, or a card for what its matrix library is "
            "given: write \"h100\"");
}

bytes reading(const phase_record& phase, counter_id counter) {
  const auto value = phase.readings.at(0).end[counter];
  EXPECT_TRUE(value.has_value()) << phase.name;
  return value.value_or(bytes{-1});
}

TEST(DenseWorkload, EveryPhaseReadsWhatThePlanSays) {
  for (const char* type : {"float32", "bfloat16"}) {
    SCOPED_TRACE(type);
    cpu_device cpu;
    workload_description description = small_dense();
    description.dtype = type;
    dense_workload work(description);
    const dense_forward_plan plan = work.plan();
    series_options options;
    options.protocol = {1, 2};
    const series_record series = run_series(cpu, work, options);

    ASSERT_EQ(series.phases.size(), 6U);
    const auto allocated = counter_id::allocated_current;
    EXPECT_EQ(series.phases[0].name, "model_load");
    EXPECT_EQ(reading(series.phases[0], allocated), plan.weights);
    EXPECT_EQ(series.phases[1].name, "inputs");
    EXPECT_EQ(reading(series.phases[1], allocated), plan.weights + plan.input);
    for (std::size_t i = 2; i < 6; ++i) {
      const phase_record& pass = series.phases[i];
      SCOPED_TRACE(pass.name);
      EXPECT_EQ(pass.status, phase_status::ok);
      EXPECT_EQ(reading(pass, counter_id::allocated_peak), plan.peak());
      EXPECT_EQ(reading(pass, allocated), plan.between_passes());
      const auto& moment = pass.readings[0].end.at_allocated_peak;
      ASSERT_TRUE(moment && moment->by_tag);
      EXPECT_EQ((*moment->by_tag)[tag::weights], plan.weights);
      EXPECT_EQ((*moment->by_tag)[tag::inputs], plan.input);
      EXPECT_EQ((*moment->by_tag)[tag::activations], plan.activations);
      EXPECT_EQ((*moment->by_tag)[tag::workspace], plan.workspace);
    }
    EXPECT_EQ(series.phases[2].name, "cold_forward");
    EXPECT_EQ(series.phases[5].name, "warm_forward");
    EXPECT_THAT(series.settings, ElementsAre(Pair("matrix_workspace", "8388608 B")));
  }
}

TEST(DenseWorkload, EachPassGivesTheSameOutput) {
  cpu_device cpu;
  std::vector<std::vector<float>> outputs;
  for (const int repeats : {1, 3}) {
    dense_workload work(small_dense());
    series_options options;
    options.protocol = {0, repeats};
    static_cast<void>(run_series(cpu, work, options));
    EXPECT_EQ(work.output().dims(), work.dims().activation());
    outputs.push_back(test::read(cpu, work.output()));
  }
  EXPECT_EQ(outputs[0], outputs[1]);
  const std::vector<float> zeros(outputs[0].size());
  EXPECT_NE(outputs[0], zeros);
}

TEST(DenseWorkload, ItsSeedDecidesItsNumbers) {
  cpu_device cpu;
  std::vector<std::vector<float>> inputs;
  std::vector<std::vector<float>> weights;
  for (const std::uint64_t seed : {1U, 2U}) {
    workload_description description = small_dense();
    description.seed = seed;
    dense_workload work(description);
    series_options options;
    options.protocol = {0, 1};
    static_cast<void>(run_series(cpu, work, options));
    inputs.push_back(test::read(cpu, work.input()));
    weights.push_back(test::read(cpu, work.network()->layers()[0].weight));
  }
  EXPECT_NE(inputs[0], inputs[1]);
  EXPECT_NE(weights[0], weights[1]);
}

}  // namespace
}  // namespace headroom::kernels
