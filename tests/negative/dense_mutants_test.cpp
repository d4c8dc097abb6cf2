// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Mistakes that the shipped dense budgets must catch, each made on purpose.
#include <gmock/gmock.h>

#include <headroom/core/budget_file.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/report/failure_text.hpp>
#include <headroom/series/open_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>
#include <headroom_kernels/dense_workload.hpp>
#include <string>
#include <vector>

namespace headroom {
namespace {

enum class mistake { none, one_tensor_more, never_freed };

/// The dense network with a mistake in its pass.
class mutant : public kernels::dense_workload {
 public:
  mutant(const workload_description& description, mistake made)
      : dense_workload(description), made_(made) {}

  void run_pass(run_context& run) override {
    const buffer extra = made_ == mistake::one_tensor_more ? one_tensor(run) : buffer();
    dense_workload::run_pass(run);
    if (made_ == mistake::never_freed) forgotten_.push_back(one_tensor(run));
  }

 private:
  // [batch, context, width] in the workload's element type
  buffer one_tensor(run_context& run) const {
    return buffer(run.device(), input().size(), tag::activations);
  }

  mistake made_;
  std::vector<buffer> forgotten_;
};

class DenseMutants : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    budget_ = read_budget(std::string(HEADROOM_SOURCE_DIR) + "/budgets/dense_forward_" +
                          GetParam() + ".json");
  }

  verdict run(mistake made) {
    // Room enough, so that it is the budget that refuses and not the device.
    device_ = open_device(parse_device_request("plan:80GB"));
    mutant work(budget_.workload, made);
    series_options options;
    options.protocol = budget_.protocol;
    options.test = "Dense.Mutant";
    series_ = run_series(*device_, work, options);
    return judge(series_, budget_);
  }

  std::string text_of(const verdict& result) const {
    return failure_text(series_, result, budget_, "mutant.json");
  }

  budget budget_;
  std::unique_ptr<device> device_;
  series_record series_;
};

TEST_P(DenseMutants, TheNetworkAsItIsIsWithin) {
  const verdict result = run(mistake::none);
  EXPECT_EQ(result.outcome, outcome::within) << text_of(result);
}

TEST_P(DenseMutants, OneTensorMoreIsCaughtWithPhaseCounterExcessAndTag) {
  const verdict result = run(mistake::one_tensor_more);
  EXPECT_EQ(result.outcome, outcome::exceeded);
  const std::string text = text_of(result);
  EXPECT_THAT(text, testing::HasSubstr("allocated peak over by "));
  EXPECT_THAT(text, testing::HasSubstr("phase     cold_forward, cold pass"));
  EXPECT_THAT(text, testing::ContainsRegex("activations [^\n]*\n *above the budget by "));
}

TEST_P(DenseMutants, AnActivationThatIsNeverFreedIsCaughtAsGrowth) {
  const verdict result = run(mistake::never_freed);
  EXPECT_EQ(result.outcome, outcome::exceeded);
  EXPECT_THAT(text_of(result),
              testing::HasSubstr("allocated current growth over the warm repeats"));
}

INSTANTIATE_TEST_SUITE_P(Budgets, DenseMutants, testing::Values("typical", "long", "limit"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace headroom
