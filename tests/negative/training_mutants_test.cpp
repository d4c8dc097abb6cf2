// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Mistakes of a training step that the shipped budgets must catch, each made on purpose.
#include <gmock/gmock.h>

#include <headroom/core/budget_file.hpp>
#include <headroom/report/failure_text.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forgetful_device.hpp"

namespace headroom {
namespace {

using kernels::dense_training_workload;
using testing::HasSubstr;

class TrainingMutants : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    budget_ = read_budget(std::string(HEADROOM_SOURCE_DIR) + "/budgets/dense_train_" + GetParam() +
                          ".json");
    // Steps enough for the cold and the warm passes; growth needs two of these.
    budget_.protocol = {0, 2};
  }

  /// @param first, count  activations that are not freed, by the order of the whole run
  verdict run(std::size_t first, std::size_t count) {
    // Room enough, so that it is the budget that refuses and not the device.
    test::forgetful_device on("200GB", first, count);
    verdict result;
    {
      dense_training_workload work(budget_.workload);
      series_options options;
      options.protocol = budget_.protocol;
      options.test = "DenseTraining.Mutant";
      series_ = run_series(on, work, options);
    }
    EXPECT_EQ(on.allocator().forgotten(), count);
    return judge(series_, budget_);
  }
  template <class Workload>
  verdict run_as(const workload_description& description) {
    plan_device on("200GB");
    Workload work(description);
    series_options options;
    options.protocol = budget_.protocol;
    series_ = run_series(on, work, options);
    return judge(series_, budget_);
  }

  /// Activations that forward makes in a step where segments of layers are run again.
  [[nodiscard]] std::size_t made_in_forward() const {
    const auto layers = static_cast<std::size_t>(budget_.workload.requested.at("layers"));
    return budget_.workload.find_option("adapters") ? 2 * layers : layers;  // with a projection
  }
  [[nodiscard]] workload_description with_option(std::string_view option,
                                                 const std::optional<std::string>& value) const {
    workload_description description = budget_.workload;
    auto& options = description.options;
    std::erase_if(options, [&](const auto& each) { return each.first == option; });
    if (value) options.emplace_back(option, *value);
    return description;
  }
  [[nodiscard]] std::string text_of(const verdict& result) const {
    return failure_text(series_, result, budget_, "mutant.json");
  }

  budget budget_;
  series_record series_;
};
INSTANTIATE_TEST_SUITE_P(Budgets, TrainingMutants,
                         testing::Values("typical", "typical_every_layer", "typical_accumulated",
                                         "long", "long_sqrt", "limit", "limit_sqrt",
                                         "typical_adapters", "typical_adapters_every_layer",
                                         "limit_adapters", "limit_adapters_every_3"),
                         [](const auto& each) { return std::string(each.param); });

using CheckpointingMutants = TrainingMutants;
INSTANTIATE_TEST_SUITE_P(Budgets, CheckpointingMutants,
                         testing::Values("typical_every_layer", "long_sqrt", "limit_sqrt",
                                         "typical_adapters_every_layer", "limit_adapters_every_3"),
                         [](const auto& each) { return std::string(each.param); });

using AdapterMutants = TrainingMutants;
INSTANTIATE_TEST_SUITE_P(Budgets, AdapterMutants,
                         testing::Values("typical_adapters", "typical_adapters_every_layer",
                                         "limit_adapters", "limit_adapters_every_3"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(TrainingMutants, TheStepAsItIsIsWithin) {
  const verdict result = run(0, 0);
  EXPECT_EQ(result.outcome, outcome::within) << text_of(result);
}

TEST_P(TrainingMutants, OneKeptActivationThatIsNotFreedIsCaught) {
  const verdict result = run(0, 1);  // the first layer's product, or the output it becomes
  EXPECT_EQ(result.outcome, outcome::exceeded);
  EXPECT_THAT(text_of(result), HasSubstr("allocated peak over by "));
  EXPECT_THAT(text_of(result), HasSubstr("allocated current over by "));
}

TEST_P(CheckpointingMutants, RecomputingIntoMemoryThatIsNotFreedIsCaught) {
  // Behind those of forward comes the first product of the segment that runs again.
  const verdict result = run(made_in_forward(), 1);
  EXPECT_EQ(result.outcome, outcome::exceeded);
  EXPECT_THAT(text_of(result), HasSubstr("allocated current over by "));
  EXPECT_THAT(text_of(result), HasSubstr("phase     backward"));
}

/// Each step leaves an activation behind.
class leaking_workload final : public dense_training_workload {
 public:
  using dense_training_workload::dense_training_workload;
  void run_pass(run_context& run) override {
    dense_training_workload::run_pass(run);
    const kernels::dense_shape& shape = dims().microbatch;
    left_.emplace_back(run.device(), stream_id{}, shape.activation(), shape.type, tag::activations);
  }

 private:
  std::vector<kernels::tensor> left_;
};

TEST_P(TrainingMutants, AnActivationThatEachStepLeavesBehindIsCaughtAsGrowth) {
  const verdict result = run_as<leaking_workload>(budget_.workload);
  EXPECT_EQ(result.outcome, outcome::exceeded);
  int grown = 0;
  for (const limit_verdict& each : result.limits) {
    if (each.scope == limit_scope::growth && each.result == ruling::exceeded) ++grown;
  }
  EXPECT_GE(grown, 1);
}

TEST_P(CheckpointingMutants, KeepingAllActivationsInsteadIsCaught) {
  run_as<dense_training_workload>(with_option("checkpointing", "none"));
  series_.workload = budget_.workload;  // what the program says that it ran
  EXPECT_EQ(judge(series_, budget_).outcome, outcome::exceeded);
}

TEST_P(AdapterMutants, OneProjectionThatIsNotFreedIsCaught) {
  const verdict result = run(1, 1);  // the first layer's, behind its product
  EXPECT_EQ(result.outcome, outcome::exceeded);
  EXPECT_THAT(text_of(result), HasSubstr("allocated current over by "));
}

TEST_P(AdapterMutants, TrainingTheFrozenWeightsAsWellIsCaught) {
  run_as<dense_training_workload>(with_option("adapters", std::nullopt));
  series_.workload = budget_.workload;  // what the program says that it ran
  const verdict result = judge(series_, budget_);
  EXPECT_EQ(result.outcome, outcome::exceeded);
  EXPECT_THAT(text_of(result), HasSubstr("allocated current over by "));
}

}  // namespace
}  // namespace headroom
