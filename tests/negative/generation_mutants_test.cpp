// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Mistakes of a generation that the shipped budgets must catch, each made on purpose.
#include <gmock/gmock.h>

#include <headroom/core/budget_file.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/report/failure_text.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>
#include <headroom_kernels/decoder_workload.hpp>
#include <string>

namespace headroom {
namespace {

using kernels::kv_cache;
using kernels::kv_cache_settings;
using kernels::kv_rows;
using testing::ContainsRegex;
using testing::HasSubstr;

/// A cache that stores one token too many of each prompt.
class greedy_cache final : public kv_cache {
 public:
  greedy_cache(device& on, const kv_cache_settings& settings)
      : kv_cache(on, {}, settings), inner_(make(on, {}, one_more(settings))) {}

  void require_room(std::span<const std::int64_t> /*fresh*/) const override {}
  void append(std::int64_t layer, std::int64_t sequence, const kv_rows& fresh) override {
    kv_rows stored = fresh;
    if (counts_[index(layer, sequence)] == 0) ++stored.count;
    inner_->append(layer, sequence, stored);
    counts_[index(layer, sequence)] += fresh.count;
  }
  void share(std::int64_t from, std::int64_t to, std::int64_t tokens) override {
    inner_->share(from, to, tokens);
    for (std::int64_t i = 0; i < settings_.layers; ++i) counts_[index(i, to)] = tokens;
  }
  [[nodiscard]] kv_rows read(std::int64_t layer, std::int64_t sequence, std::int64_t first,
                             std::int64_t count, kernels::kv_scratch& scratch) override {
    return inner_->read(layer, sequence, first, count, scratch);
  }
  [[nodiscard]] std::int64_t retained(std::int64_t layer, std::int64_t sequence) const override {
    return std::min(tokens(layer, sequence), inner_->retained(layer, sequence));
  }
  [[nodiscard]] kernels::kv_cache_bytes held() const override { return inner_->held(); }

 private:
  static kv_cache_settings one_more(kv_cache_settings settings) {
    for (std::int64_t& each : settings.lengths) ++each;
    ++settings.capacity;
    if (settings.window > 0) ++settings.window;
    return settings;
  }
  std::unique_ptr<kv_cache> inner_;
};

class greedy_workload final : public kernels::decoder_workload {
 public:
  using decoder_workload::decoder_workload;

 protected:
  [[nodiscard]] std::unique_ptr<kv_cache> make_cache(run_context& run) const override {
    return std::make_unique<greedy_cache>(run.device(), dims().cache);
  }
};

/// Each pass leaves its cache behind.
class leaking_workload final : public kernels::decoder_workload {
 public:
  using decoder_workload::decoder_workload;

  void run_pass(run_context& run) override {
    decoder_workload::run_pass(run);
    left_.push_back(make_cache(run));
    const kv_cache_settings& kept = dims().cache;
    for (std::int64_t layer = 0; layer < kept.layers; ++layer) {
      left_.back()->append(layer, 0, {nullptr, nullptr, 1, kept.width(), kept.type});
    }
  }

 private:
  std::vector<std::unique_ptr<kv_cache>> left_;
};

class GenerationMutants : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    budget_ =
        read_budget(std::string(HEADROOM_SOURCE_DIR) + "/budgets/decoder_" + GetParam() + ".json");
  }

  template <class Workload>
  verdict run() {
    plan_device on("200GB");  // room enough, so that it is the budget that refuses
    Workload work(budget_.workload);
    series_options options;
    options.protocol = budget_.protocol;
    options.test = "Generation.Mutant";
    series_ = run_series(on, work, options);
    return judge(series_, budget_);
  }
  [[nodiscard]] std::string text_of(const verdict& result) const {
    return failure_text(series_, result, budget_, "mutant.json");
  }

  budget budget_;
  series_record series_;
};
INSTANTIATE_TEST_SUITE_P(Budgets, GenerationMutants,
                         testing::Values("chat_growing", "chat_static", "chat_sliding_window",
                                         "chat_quantized", "chat_offloaded", "chat_paged",
                                         "chat_shared_prefix", "long_growing", "8b_typical",
                                         "8b_long", "8b_window"),
                         [](const auto& each) { return std::string("b_") + each.param; });

TEST_P(GenerationMutants, TheGenerationAsItIsIsWithin) {
  const verdict result = run<kernels::decoder_workload>();
  EXPECT_EQ(result.outcome, outcome::within) << text_of(result);
}

TEST_P(GenerationMutants, ACacheThatHoldsOneTokenTooManyIsCaughtWithPhaseAndTag) {
  const verdict result = run<greedy_workload>();
  ASSERT_EQ(result.outcome, outcome::exceeded) << text_of(result);
  const std::string text = text_of(result);
  EXPECT_THAT(text, HasSubstr("allocated peak over by "));
  EXPECT_THAT(text, ContainsRegex("phase     (prefill|decode)"));
  EXPECT_THAT(text, ContainsRegex("kv_cache [^\n]*"));
}

TEST_P(GenerationMutants, ACacheThatEachPassLeavesBehindIsCaughtAsGrowth) {
  const verdict result = run<leaking_workload>();
  EXPECT_EQ(result.outcome, outcome::exceeded);
  EXPECT_THAT(text_of(result), HasSubstr("allocated current growth over the warm repeats"));
}

TEST(GenerationMutant, TheFailureNamesTheDecodePhaseAndTheCachesExcess) {
  const budget against =
      read_budget(std::string(HEADROOM_SOURCE_DIR) + "/budgets/decoder_chat_static.json");
  plan_device on("24GB");
  greedy_workload work(against.workload);
  series_options options;
  options.protocol = against.protocol;
  const series_record series = run_series(on, work, options);
  const std::string text = failure_text(series, judge(series, against), against, "mutant.json");
  EXPECT_THAT(text, ContainsRegex("kv_cache [^\n]*\n *above the budget by")) << text;
  EXPECT_THAT(text, HasSubstr("Look for what keeps kv_cache alive")) << text;
}

}  // namespace
}  // namespace headroom
