// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// What the artifact of a training series says, as a reader of the file finds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/device/cpu_device.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <stdexcept>
#include <string>

#include "run_workload.hpp"

namespace headroom::kernels {
namespace {

using test::at_peak;

using testing::HasSubstr;
using named_options = std::vector<std::pair<std::string, std::string>>;

/// Ten steps: cold, four of warmup, five warm ones.
constexpr protocol ten_steps{4, 5};

workload_description small(const named_options& given, const char* type = "float32") {
  workload_description description;
  description.name = "dense";
  description.operation = "train";
  description.revision = "1";
  description.seed = 1234;
  description.dtype = type;
  description.requested = {{"batch", 4}, {"context", 16}, {"width", 48}, {"layers", 5}};
  description.options = given;
  return description;
}

stored_artifact artifact_of(const named_options& given, const char* type = "float32") {
  cpu_device cpu;
  dense_training_workload work(small(given, type));
  series_options how;
  how.protocol = ten_steps;
  const series_record series = run_series(cpu, work, how);
  budget against;
  against.workload = work.description();
  against.protocol = ten_steps;
  for (const counter_id counter : all_counters) {
    limit own;
    own.at_most = 1_GiB;  // what is looked at here is not how much
    against.limits[counter] = own;
  }
  return parse_artifact(artifact_text(series, judge(series, against), &against), "training.json");
}

const phase_record& phase_of(const stored_artifact& artifact, std::string_view name,
                             pass_kind pass) {
  for (const phase_record& phase : artifact.series.phases) {
    if (phase.name == name && phase.pass == pass) return phase;
  }
  throw std::runtime_error("no such phase");
}

TEST(TrainingArtifact, ShowsOptimizerStateArrivingInTheFirstUpdate) {
  const stored_artifact artifact = artifact_of({});
  bool updated = false;
  for (const phase_record& phase : artifact.series.phases) {
    if (!phase.parent) continue;  // a pass, whose peak may be before or behind its update
    SCOPED_TRACE(*phase.parent + " " + phase.name + " " + std::to_string(phase.repeat));
    updated = updated || phase.name == "update";
    EXPECT_EQ(at_peak(phase, tag::optimizer) > bytes{}, updated);
  }
  EXPECT_TRUE(updated);
}

TEST(TrainingArtifact, SaysByTagWhoHoldsTheBytesAtThePeak) {
  const stored_artifact artifact = artifact_of({});
  for (const phase_record& phase : artifact.series.phases) {
    SCOPED_TRACE(phase.name + " " + std::to_string(phase.repeat));
    bytes all;
    for (const tag what : all_tags) all = all + at_peak(phase, what);
    EXPECT_EQ(all, phase.readings.at(0).end[counter_id::allocated_peak]);
  }
  const phase_record& warm = phase_of(artifact, "warm_step", pass_kind::warm);
  for (const tag what : {tag::weights, tag::optimizer, tag::activations, tag::inputs}) {
    EXPECT_GT(at_peak(warm, what), bytes{}) << name_of(what);
  }
}

TEST(TrainingArtifact, HoldsTheReadingsOfEvaluationAndExport) {
  const stored_artifact artifact = artifact_of({});
  for (const char* name : {"evaluate", "export"}) {
    SCOPED_TRACE(name);
    const phase_record& phase = phase_of(artifact, name, pass_kind::after);
    EXPECT_EQ(phase.status, phase_status::ok);
    for (const counter_id counter : all_counters) {
      EXPECT_TRUE(phase.readings.at(0).end[counter].has_value()) << name_of(counter);
    }
  }
  EXPECT_GT(at_peak(phase_of(artifact, "evaluate", pass_kind::after), tag::activations), bytes{});
  EXPECT_GT(at_peak(phase_of(artifact, "export", pass_kind::after), tag::temporary), bytes{});
  EXPECT_EQ(artifact.series.checks.at(0).name, "export");
}

using policy_case = std::tuple<const char*, const char*, const char*>;
class TrainingArtifactChecks : public testing::TestWithParam<policy_case> {};
std::string name_of_policy_case(const testing::TestParamInfo<policy_case>& of) {
  const auto& [policy, adapters, type] = of.param;
  return std::string(policy) + (*adapters != '\0' ? "_adapters_" : "_") + type;
}
INSTANTIATE_TEST_SUITE_P(Policies, TrainingArtifactChecks,
                         testing::Combine(testing::Values("none", "selective", "every_layer",
                                                          "every_2", "every_3", "sqrt"),
                                          testing::Values("", "3"),
                                          testing::Values("float32", "bfloat16")),
                         name_of_policy_case);

TEST_P(TrainingArtifactChecks, RecordThatThePolicyGivesTheSameBitsAfterTenSteps) {
  const auto& [policy, adapters, type] = GetParam();
  named_options given{{"checkpointing", policy}, {"verify", "checkpointing"}};
  if (*adapters != '\0') given.emplace_back("adapters", adapters);
  const stored_artifact artifact = artifact_of(given, type);
  const std::string against = std::string_view(policy) == "none" ? "every_layer" : "none";
  const check& compared = artifact.series.checks.at(1);
  EXPECT_EQ(compared.name, "checkpointing");
  EXPECT_TRUE(compared.passed) << compared.detail;
  EXPECT_EQ(compared.difference, 0.0);
  EXPECT_THAT(compared.detail, testing::StartsWith("\"" + std::string(policy) + "\" against \"" +
                                                   against + "\" after 10 steps: "));
  EXPECT_THAT(compared.detail, testing::EndsWith("the same bits"));
  EXPECT_EQ(artifact.result.outcome, outcome::within);
}

TEST(TrainingArtifact, SaysThatTheRunFailedInThePhaseLossWhenTheLossIsNotFinite) {
  const stored_artifact artifact = artifact_of({{"learning_rate", "1e30"}, {"optimizer", "sgd"}});
  EXPECT_EQ(artifact.result.outcome, outcome::failed);
  EXPECT_THAT(artifact.result.reason, HasSubstr("phase loss"));
  const phase_record* failed = artifact.series.failed_phase();
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->name, "loss");
  EXPECT_EQ(failed->status, phase_status::failed);
  EXPECT_THAT(failed->error.value().message, HasSubstr("in step 2, microbatch 1 of 1"));
  EXPECT_EQ(phase_of(artifact, "warm_step", pass_kind::warm).status, phase_status::not_run);
}

}  // namespace
}  // namespace headroom::kernels
