// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Sequences of a paged cache that begin alike hold what they share once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom/device/plan_device.hpp>

#include "decoder_support.hpp"
#include "generation_support.hpp"

namespace headroom::kernels {
namespace {

using test::append;
using strategy = kv_cache_strategy;
using testing::Contains;
using testing::HasSubstr;
using testing::Pair;
using tokens = std::vector<std::int32_t>;

/// Lengths of 14, 9 and 11 tokens in blocks of 3.
kv_cache_settings settings_with(std::int64_t prefix, dtype type = dtype::float32) {
  kv_cache_settings made = test::cache_for(test::small_decoder(type), strategy::paged, {14, 9, 11});
  made.shared_prefix = prefix;
  return made;
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(SharedPrefix, FillsAPoolOfItsFormulaToTheLastBlockOnCpuAndPlan) {
  cpu_device cpu;
  plan_device plan("1GB");
  for (device* on : {static_cast<device*>(&cpu), static_cast<device*>(&plan)}) {
    for (std::int64_t prefix = 1; prefix <= 8; ++prefix) {
      SCOPED_TRACE(on->info().id + ", prefix " + std::to_string(prefix));
      kv_cache_settings settings = settings_with(prefix);
      const kv_cache_estimate formula = estimate_kv_cache(settings.request());
      const auto cache = kv_cache::make(*on, {}, settings);
      append(*on, *cache, {prefix, 0, 0});
      cache->share(0, 1, prefix);
      cache->share(0, 2, prefix);
      append(*on, *cache, {14 - prefix, 9 - prefix, 11 - prefix});
      EXPECT_EQ(cache->held().requested, formula.device);
      EXPECT_EQ(on->counters().read().requested_current, formula.device);
      // The first sequence's own blocks come free when it ends, and were all there is.
      if (prefix < 3) continue;
      cache->forget(0);
      const std::int64_t own = 5 - prefix / 3;
      EXPECT_THAT(refusal([&] {
                    cache->require_room(std::vector<std::int64_t>{3 * own + 1, 0, 0});
                  }),
                  HasSubstr("the pool has " + std::to_string(own) + " free"));
    }
  }
}

class SharedPrefixNumbers : public testing::TestWithParam<std::tuple<attention_form, dtype>> {};
INSTANTIATE_TEST_SUITE_P(Forms, SharedPrefixNumbers,
                         testing::Combine(testing::Values(attention_form::materialised,
                                                          attention_form::tiled),
                                          testing::Values(dtype::float32, dtype::bfloat16)),
                         [](const auto& each) {
                           return std::string(name_of(std::get<0>(each.param))) + "_" +
                                  std::string(name_of(std::get<1>(each.param)));
                         });

/// Three sequences, the last one longer than a tile, that begin alike.
struct three_prompts {
  three_prompts(std::int64_t prefix, std::int64_t vocabulary)
      : shared(test::some_tokens(prefix, vocabulary, 1)) {
    for (const std::int64_t each : {5, 1, 280}) {
      behind.push_back(test::some_tokens(each, vocabulary, static_cast<std::uint32_t>(each)));
    }
  }
  [[nodiscard]] std::vector<std::int64_t> lengths(std::int64_t more) const {
    std::vector<std::int64_t> made;
    for (const tokens& each : behind) made.push_back(std::ssize(shared) + std::ssize(each) + more);
    return made;
  }
  tokens shared;
  std::vector<tokens> behind;
};

TEST_P(SharedPrefixNumbers, PagedAndGrowingAgreeToTheBit) {
  const auto [form, type] = GetParam();
  cpu_device cpu;
  const decoder_shape dims = test::small_decoder(type);
  const decoder_network network(cpu, {}, dims, 7);
  // One token; within a block; a whole one; whole ones and a part; longer than a tile.
  for (const std::int64_t prefix : {1, 2, 3, 10, 300}) {
    SCOPED_TRACE(prefix);
    const three_prompts prompts(prefix, dims.vocabulary);
    const auto generate = [&](strategy which) {
      kv_cache_settings settings = test::cache_for(dims, which, prompts.lengths(4));
      if (which == strategy::paged) settings.shared_prefix = prefix;
      test::running_decoder run(cpu, network, settings, {form, 0});
      std::vector<std::vector<float>> found;
      if (which == strategy::paged) {
        run.step({prompts.shared, {}, {}});
        run.cache().share(0, 1, prefix);
        run.cache().share(0, 2, prefix);
      } else {
        for (std::size_t i = 0; i < 3; ++i) {
          std::vector<tokens> one(3);
          one[i] = prompts.shared;
          run.step(one);
        }
      }
      found.push_back(run.step(prompts.behind));
      for (std::int32_t step = 0; step < 4; ++step) {
        found.push_back(run.step({{step}, {step + 1}, {step + 2}}));
      }
      return found;
    };
    const auto shared = generate(strategy::paged);
    EXPECT_EQ(shared, generate(strategy::growing));
    EXPECT_NE(shared[0], shared[1]);
  }
}

TEST(SharedPrefix, WhoeverGoesOnFirstTakesTheCopyAndTheOthersKeepTheirs) {
  cpu_device cpu;
  const decoder_shape dims = test::small_decoder();
  const decoder_network network(cpu, {}, dims, 7);
  const auto last_logits = [&](bool sharer_first) {
    test::running_decoder run(cpu, network, settings_with(4));
    run.step({{5, 6, 7, 8}, {}, {}});
    run.cache().share(0, 1, 4);
    if (sharer_first) {
      run.step({{}, {9}, {}});
      return run.step({{10}, {}, {}});
    }
    return run.step({{10}, {}, {}});
  };
  EXPECT_EQ(last_logits(true), last_logits(false));
}

TEST(SharedPrefix, BlocksStayForThoseWhoStillHaveThem) {
  plan_device plan("1GB");
  kv_cache_settings settings = settings_with(6);
  settings.blocks = blocks_needed(settings.request());  // 2 shared, 3 + 1 + 2 others
  const auto cache = kv_cache::make(plan, {}, settings);
  append(plan, *cache, {6, 0, 0});
  cache->share(0, 1, 6);
  cache->share(1, 2, 6);
  append(plan, *cache, {8, 3, 5});
  cache->forget(0);
  // Three blocks came free; the two shared ones did not.
  EXPECT_EQ(refusal([&] {
              cache->require_room(std::vector<std::int64_t>{9, 0, 0});
            }),
            "(not refused)");
  EXPECT_THAT(refusal([&] {
                cache->require_room(std::vector<std::int64_t>{10, 0, 0});
              }),
              HasSubstr("needs 4 blocks of 3 tokens and the pool has 3 free"));
  cache->forget(1);
  cache->forget(2);
  EXPECT_EQ(refusal([&] {
              cache->require_room(std::vector<std::int64_t>{14, 9, 0});
            }),
            "(not refused)");
}

TEST(SharedPrefix, RoomIsAskedForCopiesToo) {
  plan_device plan("1GB");
  kv_cache_settings settings = settings_with(4);
  settings.lengths = {5, 5, 5};  // 4 blocks with the prefix
  const auto cache = kv_cache::make(plan, {}, settings);
  append(plan, *cache, {4, 0, 4});  // the third sequence shares nothing: all are taken
  cache->share(0, 1, 4);
  EXPECT_EQ(refusal([&] {
              cache->require_room(std::vector<std::int64_t>{0, 0, 1});
            }),
            "(not refused)");
  for (const std::vector<std::int64_t>& fresh :
       {std::vector<std::int64_t>{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}) {
    EXPECT_THAT(refusal([&] { cache->require_room(fresh); }),
                HasSubstr("needs 1 blocks of 3 tokens and the pool has 0 free"));
  }
  cache->forget(1);
  EXPECT_EQ(refusal([&] {
              cache->require_room(std::vector<std::int64_t>{1, 0, 0});
            }),
            "(not refused)")
      << "alone again, it goes on in place";
}

TEST(SharedPrefix, RefusesWhatCannotBeSharedAndStaysAsItWas) {
  plan_device plan("1GB");
  const auto cache = kv_cache::make(plan, {}, settings_with(4));
  append(plan, *cache, {4, 0, 1});
  EXPECT_EQ(refusal([&] { cache->share(0, 3, 4); }),
            "sequence 3 is to share with sequence 0 of 3; give two different ones");
  EXPECT_EQ(refusal([&] { cache->share(0, 0, 4); }),
            "sequence 0 is to share with sequence 0 of 3; give two different ones");
  EXPECT_EQ(refusal([&] { cache->share(0, 2, 4); }),
            "sequence 2 has 1 tokens and is to share others; end it before");
  for (const std::int64_t count : {0, 5}) {
    EXPECT_EQ(
        refusal([&] { cache->share(0, 1, count); }),
        "sequence 1 is to share " + std::to_string(count) + " tokens with sequence 0; give 1 to 4");
  }
  EXPECT_EQ(cache->tokens(0, 1), 0);
  const auto growing =
      kv_cache::make(plan, {}, test::cache_for(test::small_decoder(), strategy::growing, {6, 6}));
  EXPECT_EQ(refusal([&] { growing->share(0, 1, 1); }),
            "a growing cache keeps each sequence's tokens apart; choose \"paged\"");
}

TEST(SharedPrefix, AGenerationHoldsItOnceAndItsArtifactSaysSo) {
  plan_device plan("1GB");
  const workload_description description = test::small_generation("shared");
  decoder_workload shared(description);
  workload_description apart = description;
  apart.requested = {};
  for (const auto& [name, size] : description.requested.entries()) {
    if (name != "shared_prefix") apart.requested.set(name, size);
  }
  decoder_workload alone(apart);
  const series_record series = test::run(plan, shared);
  EXPECT_EQ(series.failed_phase(), nullptr);
  static_cast<void>(test::run(plan, alone));
  // One block of 4 tokens, for two of the three sequences: 2 x 3 layers x 4 x 16 numbers of 4 B.
  EXPECT_EQ(alone.cache_held()->requested - shared.cache_held()->requested,
            bytes{2 * std::int64_t{2} * 3 * 4 * 16 * 4});
  EXPECT_EQ(series.workload.requested.at("shared_prefix"), 6);
  EXPECT_THAT(series.settings,
              Contains(Pair("shared_prefix",
                            "6 tokens of 3 sequences: 4 held once, 2 copied to each other "
                            "sequence")));
}

TEST(SharedPrefix, AGenerationRefusesOneThatAPromptEndsWithOrThatOtherCachesCannotHold) {
  const auto refused = [](const char* cache, std::int64_t prefix) {
    workload_description description = test::small_generation(cache);
    description.requested.set("shared_prefix", prefix);
    return refusal([&] { decoder_workload{description}; });
  };
  EXPECT_EQ(refused("shared", 6), "(not refused)");
  EXPECT_EQ(refused("shared", 7),
            "the prompts share 7 tokens and one of them has 7; give a shared_prefix of 6 or fewer, "
            "or leave it out");
  EXPECT_EQ(refused("shared", 0), "the workload \"decoder\" has shared_prefix = 0; give 1 or more");
  EXPECT_EQ(refused("growing", 6),
            "the dimension shared_prefix belongs to the cache \"paged\", not to \"growing\"; leave "
            "it out, or choose that cache");
}

}  // namespace
}  // namespace headroom::kernels
