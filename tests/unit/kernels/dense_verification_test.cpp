// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/device/cpu_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <string>

#include "run_workload.hpp"

namespace headroom::kernels {
namespace {

using test::run;

using testing::HasSubstr;

workload_description verified(const char* policy) {
  workload_description description;
  description.name = "dense";
  description.operation = "train";
  description.revision = "1";
  description.seed = 1234;
  description.dtype = "float32";
  description.requested = {{"batch", 4}, {"context", 16}, {"width", 48}, {"layers", 4}};
  description.options = {{"checkpointing", policy}, {"verify", "checkpointing"}};
  return description;
}

TEST(DenseVerification, SaysWhichPoliciesHaveTheSameBitsOfHowManyNumbers) {
  cpu_device cpu;
  dense_training_workload work(verified("every_2"));
  const series_record series = run(cpu, work, {4, 5});
  ASSERT_EQ(series.checks.size(), 2U);
  const check& compared = series.checks[1];
  EXPECT_EQ(compared.name, "checkpointing");
  EXPECT_TRUE(compared.passed);
  EXPECT_EQ(compared.difference, 0.0);
  EXPECT_EQ(compared.tolerance, 0.0);
  EXPECT_EQ(compared.detail,
            "\"every_2\" against \"none\" after 10 steps: 18826 numbers of losses, weights and "
            "gradients, the same bits");

  dense_training_workload plain(verified("none"));
  EXPECT_THAT(run(cpu, plain).checks.at(1).detail, HasSubstr("\"none\" against \"every_layer\""));
}

/// A workload whose weights somebody else changes between two steps.
class disturbed_workload final : public dense_training_workload {
 public:
  using dense_training_workload::dense_training_workload;
  void run_pass(run_context& run) override {
    dense_training_workload::run_pass(run);
    if (disturbed_) return;
    auto* weights = static_cast<float*>(trainer()->network().layers()[1].weight.address());
    weights[3] += 0.25F;
    disturbed_ = true;
  }

 private:
  bool disturbed_ = false;
};

TEST(DenseVerification, ADifferenceBetweenPoliciesFailsTheRun) {
  cpu_device cpu;
  disturbed_workload work(verified("sqrt"));
  const series_record series = run(cpu, work, {4, 5});
  const check& compared = series.checks.at(1);
  EXPECT_FALSE(compared.passed);
  EXPECT_GT(compared.difference.value(), 0.0);
  EXPECT_THAT(compared.detail, HasSubstr("first difference in the loss of step 2"));
  budget against;
  against.workload = work.description();
  EXPECT_EQ(judge(series, against).outcome, outcome::failed);
}

}  // namespace
}  // namespace headroom::kernels
