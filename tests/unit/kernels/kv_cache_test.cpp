// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/device/plan_device.hpp>

#include "decoder_support.hpp"

namespace headroom::kernels {
namespace {

using test::append;
using strategy = kv_cache_strategy;
using testing::HasSubstr;

constexpr strategy all_strategies[] = {strategy::growing,        strategy::fixed,
                                       strategy::sliding_window, strategy::quantized,
                                       strategy::offloaded,      strategy::paged};

/// What the device counts at this moment.
bytes tagged(device& on, tag what) {
  on.counters().reset_peaks();
  return (*on.counters().read().at_allocated_peak->by_tag)[what];
}

/// As a decoder fills it: prompts, then one token of each sequence a step.
void fill(device& on, kv_cache& cache, const std::vector<std::int64_t>& prompts) {
  append(on, cache, prompts);
  const std::vector<std::int64_t>& lengths = cache.settings().lengths;
  for (std::int64_t there = prompts[0]; there < lengths[0]; ++there) {
    append(on, cache, std::vector<std::int64_t>(lengths.size(), 1));
  }
}

class KvCache : public testing::TestWithParam<strategy> {};
INSTANTIATE_TEST_SUITE_P(Strategies, KvCache, testing::ValuesIn(all_strategies),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(KvCache, HoldsItsFormulaToTheByteOnCpuAndPlan) {
  for (const dtype type : {dtype::float32, dtype::bfloat16}) {
    const kv_cache_settings settings =
        test::cache_for(test::small_decoder(type), GetParam(), {21, 5, 8});
    const kv_cache_estimate formula = estimate_kv_cache(settings.request());
    cpu_device cpu;
    plan_device plan("1GB");
    for (device* on : {static_cast<device*>(&cpu), static_cast<device*>(&plan)}) {
      SCOPED_TRACE(on->info().id);
      const auto cache = kv_cache::make(*on, {}, settings);
      fill(*on, *cache, {17, 1, 4});
      const kv_cache_bytes held = cache->held();
      EXPECT_EQ(held.requested, formula.device);
      EXPECT_EQ(held.host, formula.host);
      EXPECT_EQ(tagged(*on, tag::kv_cache), held.allocated);
      EXPECT_EQ(on->counters().read().requested_current, formula.device);
      EXPECT_GE(held.allocated, held.requested);
      EXPECT_EQ(cache->tokens(1, 0), 21);
      EXPECT_EQ(cache->retained(1, 0), GetParam() == strategy::sliding_window ? 4 : 21);
    }
  }
}

TEST_P(KvCache, TakesOneGiBForOneSequenceOf8192Tokens) {
  kv_cache_settings settings;
  settings.strategy = GetParam();
  settings.layers = 32;
  settings.kv_heads = 8;
  settings.head_dim = 128;
  settings.type = dtype::bfloat16;
  settings.lengths = {8192};
  settings.capacity = 8192;
  settings.window = 8192;
  plan_device plan("80GB");
  const auto cache = kv_cache::make(plan, {}, settings);
  fill(plan, *cache, {8000});
  const bytes formula = estimate_kv_cache(settings.request()).device;
  EXPECT_EQ(cache->held().requested, formula);
  EXPECT_EQ(tagged(plan, tag::kv_cache), formula);  // tensors of whole blocks: nothing is rounded
  switch (GetParam()) {
    case strategy::quantized:
      EXPECT_EQ(formula, 512_MiB + 16_MiB);
      break;
    case strategy::offloaded:
      EXPECT_EQ(formula, 32_MiB);
      EXPECT_EQ(cache->held().host, 1_GiB);
      break;
    case strategy::paged:
      EXPECT_EQ(formula, 1_GiB + bytes{512 * 4});
      break;
    default:
      EXPECT_EQ(formula, bytes{1073741824});
  }
}

TEST_P(KvCache, GivesEverythingBackAndForgetsSequences) {
  plan_device plan("1GB");
  {
    const kv_cache_settings settings = test::cache_for(test::small_decoder(), GetParam(), {6, 6});
    const auto cache = kv_cache::make(plan, {}, settings);
    append(plan, *cache, {6, 5});
    cache->forget(0);
    EXPECT_EQ(cache->tokens(1, 0), 0);
    EXPECT_EQ(cache->tokens(1, 1), 5);
    append(plan, *cache, {6, 1});
    EXPECT_EQ(cache->tokens(1, 0), 6);
  }
  EXPECT_EQ(tagged(plan, tag::kv_cache), bytes{});
}

TEST_P(KvCache, EndsAfterItsDeviceWithoutTouchingIt) {
  auto cpu = std::make_unique<cpu_device>();
  auto cache = kv_cache::make(*cpu, {}, test::cache_for(test::small_decoder(), GetParam(), {6, 6}));
  append(*cpu, *cache, {6, 5});
  testing::internal::CaptureStderr();
  cpu.reset();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr(" B of kv_cache; that memory goes"));
  cache.reset();
}

std::string refusal(kv_cache& cache, const std::vector<std::int64_t>& fresh) {
  try {
    cache.require_room(fresh);
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST_P(KvCache, RefusesMoreThanThereIsRoomForAndStaysAsItWas) {
  plan_device plan("1GB");
  const auto cache =
      kv_cache::make(plan, {}, test::cache_for(test::small_decoder(), GetParam(), {6, 6}));
  append(plan, *cache, {6, 0});
  const kv_cache_bytes before = cache->held();
  EXPECT_EQ(refusal(*cache, {1, 1}),
            "sequence 0 has 6 tokens in a " + std::string(name_of(GetParam())) +
                " cache that holds 6 of it, and 1 more are to come; give a larger capacity, or "
                "fewer tokens");
  EXPECT_EQ(refusal(*cache, {0, 1}), "(not refused)");
  EXPECT_EQ(cache->tokens(0, 0), 6);
  EXPECT_EQ(cache->held().requested, before.requested);
}

TEST(KvCaches, AGrowingSequenceHoldsItsOldKeysForAMoment) {
  for (const strategy which : {strategy::growing, strategy::quantized}) {
    kv_cache_settings settings = test::cache_for(test::small_decoder(), which, {65});
    settings.head_dim = 256;  // rows of whole 512 B
    plan_device plan("1GB");
    const auto cache = kv_cache::make(plan, {}, settings);
    append(plan, *cache, {64});
    const buffer one(plan, bytes{4096}, tag::other);
    plan.counters().reset_peaks();
    for (std::int64_t layer = 0; layer < settings.layers; ++layer) {
      cache->append(layer, 0, {one.address(), one.address(), 1, 512, dtype::float32});
    }
    const kv_cache_estimate formula = estimate_kv_cache(settings.request());
    const bytes rounding = cache->held().allocated - cache->held().requested;
    EXPECT_EQ(*plan.counters().read()[counter_id::allocated_peak] - bytes{4096} - rounding,
              formula.device + formula.growth_copy);
  }
}

TEST(KvCaches, PagedSequencesShareAPoolAndMoreOfThemThanBlocksAreRefused) {
  plan_device plan("1GB");
  kv_cache_settings settings = test::cache_for(test::small_decoder(), strategy::paged, {3, 3, 3});
  settings.blocks = 2;
  EXPECT_THROW(
      {
        try {
          static_cast<void>(kv_cache::make(plan, {}, settings));
        } catch (const usage_error& problem) {
          EXPECT_THAT(problem.what(),
                      HasSubstr("need 3 blocks of 3 tokens and the pool has 2; give 3 blocks"));
          throw;
        }
      },
      usage_error);
  settings.blocks = 3;
  const auto cache = kv_cache::make(plan, {}, settings);
  append(plan, *cache, {1, 3, 3});
  EXPECT_EQ(refusal(*cache, {1, 0, 0}), "(not refused)");
  EXPECT_EQ(tagged(plan, tag::kv_cache), cache->held().allocated);
}

TEST(KvCaches, AWindowTakesAPromptAsAWholeThenTokenByToken) {
  plan_device plan("1GB");
  const auto cache = kv_cache::make(
      plan, {}, test::cache_for(test::small_decoder(), strategy::sliding_window, {9}));
  append(plan, *cache, {6});
  EXPECT_EQ(refusal(*cache, {1}), "(not refused)");
  EXPECT_THAT(refusal(*cache, {2}), HasSubstr("takes a prompt as a whole, then token by token"));
}

TEST(KvCaches, OutOfMemoryLeavesTheCountersAsTheyWere) {
  plan_device plan("64MB");
  kv_cache_settings settings = test::cache_for(test::small_decoder(), strategy::growing, {1 << 20});
  const auto cache = kv_cache::make(plan, {}, settings);
  const bytes before = tagged(plan, tag::kv_cache);
  EXPECT_THROW(cache->append(0, 0, {nullptr, nullptr, 1 << 20, 16, dtype::float32}), out_of_memory);
  EXPECT_EQ(tagged(plan, tag::kv_cache), before);
}

}  // namespace
}  // namespace headroom::kernels
