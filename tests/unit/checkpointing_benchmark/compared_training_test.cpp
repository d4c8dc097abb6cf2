// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "compared_training.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/run_series.hpp>

namespace headroom::kernels {
namespace {

workload_description training(const std::string& policy) {
  workload_description description;
  description.name = "dense";
  description.operation = "train";
  description.revision = "1";
  description.seed = 5;
  description.dtype = "float32";
  description.requested = {{"batch", 2}, {"context", 8}, {"width", 16}, {"layers", 6}};
  description.options = {{"checkpointing", policy}};
  return description;
}

struct ran {
  series_record series;
  compared_training::results results;
};

ran run(device& on, const std::string& policy, compared_training::results none) {
  ran made;
  compared_training work(training(policy), std::move(none),
                         [&](auto results) { made.results = std::move(results); });
  series_options options;
  options.protocol = {1, 2};
  made.series = run_series(on, work, options);
  return made;
}

const check* outputs_of(const series_record& series) {
  for (const check& each : series.checks) {
    if (each.name == "outputs") return &each;
  }
  return nullptr;
}

TEST(ComparedTraining, EveryPolicyGivesTheBitsOfNone) {
  cpu_device cpu;
  const ran none = run(cpu, "none", nullptr);
  ASSERT_NE(none.results, nullptr);
  EXPECT_EQ(none.results->losses.size(), 4U);
  EXPECT_EQ(none.results->weights.size(), 6U * (16 * 16 + 16));
  EXPECT_EQ(outputs_of(none.series), nullptr);
  for (const char* policy : {"selective", "every_layer", "every_2", "every_4", "sqrt"}) {
    const ran other = run(cpu, policy, none.results);
    const check* compared = outputs_of(other.series);
    ASSERT_NE(compared, nullptr) << policy;
    EXPECT_TRUE(compared->passed) << compared->detail;
    EXPECT_EQ(compared->tolerance, 0.0);
    EXPECT_EQ(compared->detail, "\"" + std::string(policy) +
                                    "\" against \"none\" after 4 steps: of 4 losses and 1632 "
                                    "weights, the same bits");
  }
}

TEST(ComparedTraining, ComparesNothingWhereNothingIsComputed) {
  plan_device plan(1_GiB);
  const ran none = run(plan, "none", nullptr);
  EXPECT_EQ(none.results, nullptr);
  EXPECT_EQ(outputs_of(run(plan, "sqrt", nullptr).series), nullptr);
}

TEST(CompareResults, FindsOneBitThatDiffers) {
  const training_results none{{1.0F, 0.5F}, {1.0F, 2.0F, 3.0F}};
  training_results own = none;
  own.weights[1] = std::nextafter(2.0F, 3.0F);
  const check strict = compare_results("sqrt", own, none, 0.0);
  EXPECT_FALSE(strict.passed);
  EXPECT_THAT(strict.detail, testing::HasSubstr("1 differ, by 2.38"));
  EXPECT_THAT(strict.detail, testing::HasSubstr("the first among the weights"));
  EXPECT_TRUE(compare_results("sqrt", own, none, 1e-3).passed);
  own.losses[0] = 1.5F;
  EXPECT_FALSE(compare_results("sqrt", own, none, 1e-3).passed);
  EXPECT_EQ(compare_results("sqrt", own, none, 1e-3).difference, 0.5);
}

TEST(CompareResults, IsNotPassedByNumbersThatAreNotFiniteOrNotThere) {
  const training_results none{{1.0F}, {1.0F, 2.0F}};
  training_results own = none;
  own.weights[0] = NAN;
  EXPECT_FALSE(compare_results("sqrt", own, none, 1e-3).passed);
  EXPECT_FALSE(compare_results("sqrt", own, none, 1e-3).difference);
  own = none;
  own.weights.pop_back();
  EXPECT_FALSE(compare_results("sqrt", own, none, 1e-3).passed);
  own = none;
  own.weights[0] = -0.0F;
  EXPECT_FALSE(compare_results("sqrt", own, {{1.0F}, {0.0F, 2.0F}}, 0.0).passed);
}

}  // namespace
}  // namespace headroom::kernels
