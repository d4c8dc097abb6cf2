// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/device/plan_device.hpp>
#include <headroom_kernels/decoder_training_workload.hpp>
#include <headroom_kernels/decoder_workload.hpp>
#include <memory>

#include "same_readings.hpp"
#include "shipped_budgets.hpp"

namespace headroom::kernels {
namespace {

using test::run;
using test::shipped;
using testing::HasSubstr;

const std::vector<const char*> small_budgets{
    "chat_growing", "chat_static",        "chat_sliding_window", "chat_quantized", "chat_offloaded",
    "chat_paged",   "chat_shared_prefix", "long_growing",        "long_tiled"};
const std::vector<const char*> card_budgets{"8b_typical", "8b_long",      "8b_limit",
                                            "8b_window",  "7b_offloaded", "7b_many_quantized",
                                            "70b_int4",   "70b_int8_many"};

std::vector<const char*> all_budgets() {
  std::vector<const char*> all = small_budgets;
  all.insert(all.end(), card_budgets.begin(), card_budgets.end());
  return all;
}

/// The card that a budget is for; of a real one, a planned one of the same capacity.
std::string card_of(const budget& of) {
  const std::string& device = of.configurations.at(0).device;
  return device.starts_with("plan:") ? device.substr(5) : "24GB";
}

class GenerationBudget : public testing::TestWithParam<const char*> {
 protected:
  const budget budget_ = shipped(std::string("decoder_") + GetParam());
};
const auto named = [](const auto& each) { return std::string("b_") + each.param; };
INSTANTIATE_TEST_SUITE_P(Shipped, GenerationBudget, testing::ValuesIn(all_budgets()), named);

using SmallGenerationBudget = GenerationBudget;
INSTANTIATE_TEST_SUITE_P(Shipped, SmallGenerationBudget, testing::ValuesIn(small_budgets), named);

TEST_P(GenerationBudget, IsKeptOnItsCardToTheByte) {
  plan_device plan(card_of(budget_));
  decoder_workload work(budget_.workload);
  const verdict result = judge(run(plan, work, budget_), budget_);
  EXPECT_EQ(result.outcome, outcome::within) << result.reason;
  int phases = 0;
  for (const limit_verdict& each : result.limits) {
    if (each.scope == limit_scope::headroom) continue;  // a margin, not a figure
    EXPECT_EQ(each.measured, each.limit) << each.pointer << " in " << each.phase;
    phases += each.scope == limit_scope::phase ? 1 : 0;
  }
  EXPECT_EQ(phases, 8) << "two counters of model_load, inputs, prefill and decode";
}

TEST_P(SmallGenerationBudget, ReadsTheSameOnCpuAndPlan) {
  budget shorter = budget_;
  shorter.protocol = {0, 1};
  cpu_device cpu;
  plan_device plan("24GB");
  decoder_workload computed(budget_.workload);
  decoder_workload planned(budget_.workload);
  test::expect_same_readings(run(cpu, computed, shorter), run(plan, planned, shorter));
}

bytes reserved_for(const budget& against, std::string_view item) {
  for (const reserve_item& each : against.reserve) {
    if (each.name == item) return each.size;
  }
  return {};
}

TEST_P(GenerationBudget, StatesItsWeightsAndReserveAsTheyAreComputed) {
  plan_device plan(card_of(budget_));
  decoder_workload work(budget_.workload);
  budget shorter = budget_;
  shorter.protocol = {0, 1};
  static_cast<void>(run(plan, work, shorter));
  const generation_sizes sizes = work.sizes();
  EXPECT_EQ(budget_.weight_bytes(), sizes.weights);
  EXPECT_EQ(reserved_for(budget_, "inputs"), sizes.inputs);
  EXPECT_EQ(reserved_for(budget_, "activations"), sizes.activations);
  EXPECT_EQ(reserved_for(budget_, "workspace"),
            sizes.workspace + std::max(sizes.attention, sizes.unpacked));
  EXPECT_EQ(reserved_for(budget_, "temporary"), sizes.staging);
  const kv_cache_bytes held = work.cache_held().value();
  EXPECT_EQ(held.requested, sizes.cache.device);
  EXPECT_EQ(reserved_for(budget_, "kv_cache"), held.allocated + sizes.cache.growth_copy);
}

TEST(GenerationBudgets, OneMoreSequenceDoesNotFitTheCardOfTheLimit) {
  budget against = shipped("decoder_8b_limit");
  against.workload.requested.set("sequences", against.workload.requested.at("sequences") + 1);
  plan_device plan(card_of(against));
  decoder_workload work(against.workload);
  const verdict result = judge(run(plan, work, against), against);
  EXPECT_EQ(result.outcome, outcome::out_of_memory);
  EXPECT_THAT(result.reason, HasSubstr("phase prefill"));
}

class DecoderTrainBudget : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Shipped, DecoderTrainBudget,
                         testing::Values("train_typical", "train_typical_sqrt", "train_1b_sqrt"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(DecoderTrainBudget, IsKeptOnItsCardToTheByte) {
  const budget against = shipped(std::string("decoder_") + GetParam());
  plan_device plan(card_of(against));
  decoder_training_workload work(against.workload);
  const series_record series = run(plan, work, against);
  const verdict result = judge(series, against);
  EXPECT_EQ(result.outcome, outcome::within) << result.reason;
  for (const limit_verdict& each : result.limits) {
    if (each.scope == limit_scope::headroom) continue;
    EXPECT_EQ(each.measured, each.limit) << each.pointer << " in " << each.phase;
  }
  EXPECT_GE(against.envelope(), against.limits[counter_id::allocated_peak]->at_most.value());
  // One float32 for each parameter, and what the allocator hands out beside: below 1 MiB a tensor.
  const bytes parameters = work.model().parameters() * bytes{4};
  const bytes rests = std::ssize(work.trainer()->parameters()) * 1_MiB;
  const int states = state_tensors(optimizer_kind::adamw, work.model().type);
  for (const auto& [item, times] : {std::pair{"gradients", 1}, {"optimizer", states}}) {
    EXPECT_GE(reserved_for(against, item), times * parameters) << item;
    EXPECT_LT(reserved_for(against, item), times * (parameters + rests)) << item;
  }
}

TEST(DecoderTrainBudgets, CheckpointsLowerThePeak) {
  const auto peak = [](const char* name) {
    return shipped(name).limits[counter_id::allocated_peak]->at_most.value();
  };
  EXPECT_LT(peak("decoder_train_typical_sqrt"), peak("decoder_train_typical"));
}

/// What fits and what does not, by card: shape, weights, cache, sequences, context, the smallest
/// capacity that holds it, and the phase that fails one size below.
struct fitting {
  const char* shape;
  const char* weights;
  const char* cache;
  std::int64_t sequences;
  std::int64_t context;
  const char* card;  ///< the smallest of 24, 48, 80 and 141 GB that it fits; null for none
  const char* phase;
};
void PrintTo(const fitting& each, std::ostream* to) {
  *to << each.shape << " " << each.weights << " " << each.cache << " " << each.sequences << " x "
      << each.context;
}

class CardFit : public testing::TestWithParam<fitting> {};
INSTANTIATE_TEST_SUITE_P(
    Cards, CardFit,
    testing::Values(fitting{"8b", "plain", "static", 1, 8192, "24GB", ""},
                    fitting{"8b", "plain", "static", 16, 8192, "48GB", "prefill"},
                    fitting{"8b", "plain", "quantized", 1, 32768, "24GB", ""},
                    fitting{"8b", "plain", "growing", 1, 131072, "48GB", "prefill"},
                    fitting{"8b", "plain", "paged", 64, 4096, "80GB", "prefill"},
                    fitting{"8b", "int4", "static", 1, 8192, "24GB", ""},
                    fitting{"7b", "plain", "static", 1, 8192, "24GB", ""},
                    fitting{"7b", "plain", "static", 4, 8192, "48GB", "prefill"},
                    fitting{"7b", "plain", "offloaded", 1, 32768, "24GB", ""},
                    fitting{"7b", "plain", "growing", 1, 32768, "48GB", "prefill"},
                    fitting{"7b", "plain", "sliding_window", 1, 32768, "24GB", ""},
                    fitting{"70b", "plain", "static", 1, 128, nullptr, "model_load"},
                    fitting{"70b", "int8", "static", 1, 2048, "80GB", "model_load"},
                    fitting{"70b", "int8", "paged", 16, 4096, "141GB", "prefill"},
                    fitting{"70b", "int4", "static", 1, 4096, "48GB", "model_load"},
                    fitting{"70b", "int4", "static", 16, 4096, "80GB", "prefill"}));

TEST_P(CardFit, TheSmallestCardIsTheOneThatIsStated) {
  const fitting& wanted = GetParam();
  workload_description description;
  description.name = "decoder";
  description.operation = "generate";
  description.dtype = "bfloat16";
  description.requested = {
      {"sequences", wanted.sequences}, {"prompt", wanted.context - 8}, {"decode", 8}};
  if (std::string(wanted.cache) == "sliding_window") description.requested.set("window", 4096);
  description.options = {
      {"shape", wanted.shape}, {"weights", wanted.weights}, {"cache", wanted.cache}};
  bool fits = false;
  for (const char* card : {"24GB", "48GB", "80GB", "141GB"}) {
    SCOPED_TRACE(card);
    fits = fits || (wanted.card != nullptr && std::string(card) == wanted.card);
    plan_device plan(card);
    decoder_workload work(description);
    series_options options;
    options.protocol = {0, 1};
    const series_record series = run_series(plan, work, options);
    const phase_record* failed = series.failed_phase();
    ASSERT_EQ(failed == nullptr, fits) << (failed != nullptr ? failed->error->message : "");
    if (failed == nullptr) continue;
    EXPECT_EQ(failed->error->kind, "out_of_memory");
    const bool just_below = wanted.card == nullptr
                                ? std::string(card) == "141GB"
                                : (std::string(wanted.card) == "48GB" && card[0] == '2') ||
                                      (std::string(wanted.card) == "80GB" && card[0] == '4') ||
                                      (std::string(wanted.card) == "141GB" && card[0] == '8');
    if (just_below) {
      EXPECT_EQ(failed->name, wanted.phase);
    }
  }
}

}  // namespace
}  // namespace headroom::kernels
