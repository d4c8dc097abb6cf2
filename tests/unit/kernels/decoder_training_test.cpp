// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom_kernels/decoder_training_workload.hpp>
#include <headroom_kernels/workloads.hpp>
#include <map>

#include "decoder_support.hpp"
#include "run_workload.hpp"
#include "same_readings.hpp"

namespace headroom::kernels {
namespace {

using test::run;

using testing::HasSubstr;

workload_description small_training(const char* policy, const char* dtype = "float32") {
  workload_description made;
  made.name = "decoder";
  made.operation = "train";
  made.revision = "1";
  made.seed = 3;
  made.dtype = dtype;
  made.requested = {{"layers", 4},   {"width", 32},      {"heads", 4},       {"kv_heads", 2},
                    {"head_dim", 8}, {"ffn", 48},        {"vocabulary", 60}, {"batch", 4},
                    {"context", 12}, {"microbatches", 2}};
  made.options = {{"checkpointing", policy}, {"matrix_workspace", "64 KiB"}};
  return made;
}

class DecoderTraining : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Policies, DecoderTraining,
                         testing::Values("none", "selective", "every_layer", "every_2", "sqrt",
                                         "every_3"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(DecoderTraining, ReadsTheSameOnCpuAndPlan) {
  for (const char* dtype : {"float32", "bfloat16"}) {
    for (const char* form : {"tiled", "materialised"}) {
      workload_description description = small_training(GetParam(), dtype);
      description.options.emplace_back("attention", form);
      cpu_device cpu;
      plan_device plan("1GB");
      decoder_training_workload computed(description);
      decoder_training_workload planned(description);
      const series_record series = run(cpu, computed);
      test::expect_same_readings(series, run(plan, planned));
      ASSERT_EQ(series.checks.size(), 1U);
      EXPECT_TRUE(series.checks[0].passed) << series.checks[0].detail;
    }
  }
}

TEST_P(DecoderTraining, GivesTheSameBitsAsKeepingEverything) {
  std::vector<std::vector<float>> losses;
  std::vector<std::vector<float>> weights;
  for (const char* policy : {"none", GetParam()}) {
    cpu_device cpu;
    decoder_training_workload work(small_training(policy));
    static_cast<void>(run(cpu, work));
    losses.push_back(work.losses());
    losses.back().push_back(work.evaluation_loss().value());
    std::vector<float>& all = weights.emplace_back();
    for (const tensor* each : work.trainer()->parameters()) {
      const std::vector<float> own = test::read(cpu, *each);
      all.insert(all.end(), own.begin(), own.end());
    }
  }
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_EQ(weights[0], weights[1]);
}

TEST_P(DecoderTraining, LearnsItsBatch) {
  workload_description description = small_training(GetParam());
  description.options.emplace_back("learning_rate", "0.01");
  cpu_device cpu;
  decoder_training_workload work(description);
  static_cast<void>(run(cpu, work, {0, 12}));
  ASSERT_EQ(work.losses().size(), 13U);
  EXPECT_LT(work.losses().back(), 0.5F * work.losses().front());
}

bytes most_activations(const char* policy, std::int64_t layers) {
  workload_description description = small_training(policy);
  description.requested.set("layers", layers);
  description.requested.set("batch", 64);
  description.requested.set("context", 512);
  plan_device plan("100GB");
  decoder_training_workload work(description);
  bytes most;
  for (const phase_record& phase : run(plan, work, {0, 1}).phases) {
    most = std::max(most, (*phase.readings[0].end.at_allocated_peak->by_tag)[tag::activations]);
  }
  return most;
}

TEST(DecoderTrainings, EachPolicyKeepsLessThanTheOneBefore) {
  const bytes none = most_activations("none", 64);
  const bytes selective = most_activations("selective", 64);
  const bytes every_layer = most_activations("every_layer", 64);
  const bytes sqrt = most_activations("sqrt", 64);
  EXPECT_LT(selective, none);
  EXPECT_LT(2 * every_layer, selective);
  EXPECT_LT(every_layer.n * 10, none.n * 2);
  EXPECT_LT(sqrt, selective);
  // Twice the layers: nearly twice as much, but for one layer's working set and the logits.
  EXPECT_GT(most_activations("none", 128).n * 10, none.n * 19);
}

TEST(DecoderTrainings, MicrobatchesAddUpToTheWholeBatch) {
  std::map<std::int64_t, std::vector<float>> losses;
  for (const std::int64_t microbatches : {1, 2, 4}) {
    workload_description description = small_training("none");
    description.requested.set("microbatches", microbatches);
    cpu_device cpu;
    decoder_training_workload work(description);
    static_cast<void>(run(cpu, work));
    losses[microbatches] = work.losses();
  }
  for (const std::int64_t microbatches : {2, 4}) {
    for (std::size_t i = 0; i < losses[1].size(); ++i) {
      EXPECT_NEAR(losses[microbatches][i], losses[1][i], 2e-5F) << microbatches;
    }
  }
}

std::string training_refusal(void (*change)(workload_description&)) {
  workload_description description = small_training("none");
  change(description);
  try {
    static_cast<void>(make_workload(description));
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(DecoderTrainings, RefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(training_refusal([](auto&) {}), "(not refused)");
  EXPECT_EQ(training_refusal([](auto& d) { d.requested.set("prompt", 1); }),
            "the workload \"decoder\" has no dimension \"prompt\"; to train it has batch, context, "
            "microbatches, and those of the model");
  EXPECT_EQ(training_refusal([](auto& d) { d.requested.set("batch", 3); }),
            "batch 3 does not divide into 2 microbatches; give a batch that is a multiple of "
            "microbatches, for example 4");
  EXPECT_THAT(training_refusal([](auto& d) { d.options.emplace_back("cache", "paged"); }),
              HasSubstr("has no option \"cache\"; to train it has \"shape\""));
  EXPECT_THAT(training_refusal([](auto& d) { d.options.emplace_back("learning_rate", "-1"); }),
              HasSubstr("give a number above 0"));
  EXPECT_THAT(training_refusal([](auto& d) { d.options[0].second = "every_5"; }),
              HasSubstr("more layers in a segment than the network"));
  EXPECT_THAT(training_refusal([](auto& d) { d.requested.set("context", std::int64_t{1} << 62); }),
              HasSubstr("do not fit 64 bits"));
  EXPECT_THAT(training_refusal([](auto& d) { d.requested.set("context", 0); }),
              HasSubstr("give 1 or more"));
}

TEST(DecoderTrainings, PackedWeightsAreRefused) {
  cpu_device cpu;
  const decoder_shape dims = test::small_decoder();
  const decoder_network network(cpu, {}, dims, 1, {weight_staging::none, {weight_format::int4, 8}});
  matrix_library products(cpu, {});
  decoder_training_settings settings;
  settings.batch = settings.context = 2;
  EXPECT_THROW(decoder_trainer(cpu, {}, network, products, settings), usage_error);
}

}  // namespace
}  // namespace headroom::kernels
