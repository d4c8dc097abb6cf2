// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// A workload of your own under a budget: 4 MiB of weights, 2 MiB of scratch a pass.
#include <headroom/device/buffer.hpp>
#include <headroom/gtest/memory_budget_test.hpp>

namespace {

class two_buffers : public headroom::workload {
 public:
  explicit two_buffers(headroom::workload_description description)
      : description_(std::move(description)) {}
  const headroom::workload_description& description() const override { return description_; }
  std::string_view pass_name() const override { return "pass"; }
  void load(headroom::run_context& run) override {
    weights_ = headroom::buffer(run.device(), headroom::bytes{4 << 20}, headroom::tag::weights);
  }
  void make_inputs(headroom::run_context&) override {}
  void run_pass(headroom::run_context& run) override {
    const headroom::buffer scratch(run.device(), headroom::bytes{2 << 20},
                                   headroom::tag::workspace);
  }

 private:
  headroom::workload_description description_;
  headroom::buffer weights_;
};

class TwoBuffers : public headroom::MemoryBudgetTest {
 protected:
  std::filesystem::path budget_file() const override { return "two_buffers.json"; }
  std::unique_ptr<headroom::workload> make_workload(const headroom::budget& against) override {
    return std::make_unique<two_buffers>(against.workload);
  }
};

HEADROOM_BUDGET_TEST(TwoBuffers);

TEST_F(TwoBuffers, ByHand) {
  using namespace headroom::literals;
  const auto series = measure();
  EXPECT_THAT(series, headroom::FitsBudget(budget()));
  EXPECT_THAT(series.phase("model_load"), headroom::AllocatedPeakAtMost(4_MiB));
  EXPECT_THAT(series, headroom::ReachesSteadyState());
}

}  // namespace
