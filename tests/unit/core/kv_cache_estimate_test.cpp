// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <headroom/core/error.hpp>
#include <headroom/core/kv_cache_estimate.hpp>

namespace headroom {
namespace {

using strategy = kv_cache_strategy;
using testing::HasSubstr;

/// 32 layers, 8 KV heads of dimension 128, 2 bytes.
kv_cache_request cache_of(strategy which, std::vector<kv_sequences> sequences) {
  kv_cache_request made;
  made.strategy = which;
  made.layers = 32;
  made.kv_heads = 8;
  made.head_dim = 128;
  made.sequences = std::move(sequences);
  return made;
}

TEST(KvCacheEstimate, OneSequenceOf8192TokensIsOneGiBAndFourAreFour) {
  const kv_cache_estimate one = estimate_kv_cache(cache_of(strategy::growing, {{1, 8192}}));
  EXPECT_EQ(one.device, bytes{1073741824});
  EXPECT_EQ(one.host, bytes{0});
  ASSERT_EQ(one.terms.size(), 1U);
  EXPECT_EQ(one.terms[0].name, "keys and values");
  EXPECT_EQ(one.terms[0].formula,
            "2 x layers 32 x tokens 8192 x KV heads 8 x head dimension 128 x 2 B");
  EXPECT_EQ(one.growth_copy, bytes{8191 * 8 * 128 * 2});
  EXPECT_EQ(estimate_kv_cache(cache_of(strategy::growing, {{4, 8192}})).device, 4_GiB);
}

TEST(KvCacheEstimate, SequencesOfUnequalLengthAddUp) {
  const kv_cache_estimate made =
      estimate_kv_cache(cache_of(strategy::growing, {{1, 100}, {2, 7}, {1, 1}}));
  EXPECT_EQ(made.device, bytes{std::int64_t{2} * 32 * 115 * 8 * 128 * 2});
  EXPECT_EQ(made.growth_copy, bytes{99 * 8 * 128 * 2});
}

TEST(KvCacheEstimate, StaticTakesItsCapacityForEachSequence) {
  kv_cache_request request = cache_of(strategy::fixed, {{1, 100}, {1, 3}});
  request.capacity = 128;
  const kv_cache_estimate made = estimate_kv_cache(request);
  EXPECT_EQ(made.device, bytes{std::int64_t{2} * 32 * 256 * 8 * 128 * 2});
  EXPECT_EQ(made.growth_copy, bytes{0});
}

TEST(KvCacheEstimate, AWindowRetainsItsLastTokensAndNoMoreThanThereAre) {
  kv_cache_request request = cache_of(strategy::sliding_window, {{1, 8192}, {1, 10}});
  request.window = 1024;
  EXPECT_EQ(estimate_kv_cache(request).device, bytes{std::int64_t{2} * 32 * 1034 * 8 * 128 * 2});
}

TEST(KvCacheEstimate, Int8CountsAByteANumberAndAScaleForEachTokenAndHead) {
  const kv_cache_estimate made = estimate_kv_cache(cache_of(strategy::quantized, {{1, 8192}}));
  ASSERT_EQ(made.terms.size(), 2U);
  EXPECT_EQ(made.terms[0].size, 512_MiB);
  EXPECT_EQ(made.terms[1].name, "scales");
  EXPECT_EQ(made.terms[1].size, bytes{std::int64_t{2} * 32 * 8192 * 8 * 4});
  EXPECT_EQ(made.device, made.terms[0].size + made.terms[1].size);
  EXPECT_EQ(made.growth_copy, bytes{8191 * 8 * 128});
}

TEST(KvCacheEstimate, OffloadedHoldsOneLayerOnTheDeviceAndAllOnTheHost) {
  const kv_cache_estimate made = estimate_kv_cache(cache_of(strategy::offloaded, {{2, 8192}}));
  EXPECT_EQ(made.device, 64_MiB);
  EXPECT_EQ(made.host, 2_GiB);
}

TEST(KvCacheEstimate, PagedTakesWholeBlocksAndATable) {
  kv_cache_request request = cache_of(strategy::paged, {{1, 17}, {2, 16}});
  EXPECT_EQ(blocks_needed(request), 4);
  const kv_cache_estimate made = estimate_kv_cache(request);
  ASSERT_EQ(made.terms.size(), 2U);
  EXPECT_EQ(made.terms[0].size, bytes{std::int64_t{2} * 32 * 4 * 16 * 8 * 128 * 2});
  EXPECT_EQ(made.terms[1].formula, "sequences 3 x blocks of the longest 2 x 4 B");
  EXPECT_EQ(made.terms[1].size, bytes{24});
  request.blocks = 9;
  EXPECT_EQ(estimate_kv_cache(request).terms[0].size,
            bytes{std::int64_t{2} * 32 * 9 * 16 * 8 * 128 * 2});
}

TEST(KvCacheEstimate, ASharedPrefixIsThereOnceInItsWholeBlocks) {
  const bytes block{std::int64_t{2} * 32 * 16 * 8 * 128 * 2};
  kv_cache_request request = cache_of(strategy::paged, {{3, 100}, {1, 50}});
  EXPECT_EQ(blocks_needed(request), 3 * 7 + 4);
  for (const auto& [prefix, blocks] : {std::pair<std::int64_t, std::int64_t>{15, 25},
                                       {16, 1 + 3 * 6 + 3},
                                       {31, 1 + 3 * 6 + 3},
                                       {32, 2 + 3 * 5 + 2},
                                       {49, 3 + 3 * 4 + 1}}) {
    SCOPED_TRACE(prefix);
    request.shared_prefix = prefix;
    EXPECT_EQ(blocks_needed(request), blocks);
    EXPECT_EQ(estimate_kv_cache(request).device, blocks * block + bytes{4 * 7 * 4});
  }
  const std::vector<kv_cache_term> terms = estimate_kv_cache(request).terms;
  ASSERT_EQ(terms.size(), 3U);
  EXPECT_EQ(terms[0].name, "keys and values of the shared prefix");
  EXPECT_EQ(terms[0].formula,
            "2 x layers 32 x shared blocks 3 x tokens of a block 16 x KV heads 8 x head dimension "
            "128 x 2 B");
  EXPECT_EQ(terms[1].formula,
            "2 x layers 32 x own blocks 13 x tokens of a block 16 x KV heads 8 x head dimension "
            "128 x 2 B");
  request.blocks = 20;  // of the pool, those that are shared among them
  EXPECT_EQ(estimate_kv_cache(request).device, 20 * block + bytes{4 * 7 * 4});
  request.strategy = strategy::growing;
  EXPECT_EQ(estimate_kv_cache(request).device, 350 * bytes{std::int64_t{2} * 32 * 8 * 128 * 2});
}

std::string refusal(strategy which, const std::function<void(kv_cache_request&)>& change) {
  kv_cache_request request = cache_of(which, {{3, 100}});
  request.capacity = 100;
  request.window = 10;
  change(request);
  try {
    static_cast<void>(estimate_kv_cache(request));
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(KvCacheEstimate, RefusesWhatCannotBeAndNamesIt) {
  for (const char* name :
       {"growing", "static", "sliding_window", "quantized", "offloaded", "paged"}) {
    const strategy which = kv_cache_strategy_from_name(name).value();
    EXPECT_EQ(name_of(which), name);
    EXPECT_EQ(refusal(which, [](auto&) {}), "(not refused)");
    EXPECT_EQ(refusal(which, [](auto& r) { r.kv_heads = 0; }),
              "the cache has KV heads = 0; give 1 or more");
    EXPECT_EQ(refusal(which,
                      [](auto& r) {
                        r.sequences = {{1, -5}};
                      }),
              "the cache has tokens = -5; give 1 or more");
    EXPECT_EQ(refusal(which, [](auto& r) { r.sequences.clear(); }),
              "the cache has groups of sequences = 0; give 1 or more");
  }
  EXPECT_EQ(kv_cache_strategy_from_name("fixed"), std::nullopt);
  EXPECT_EQ(refusal(strategy::sliding_window, [](auto& r) { r.window = 0; }),
            "the cache has window = 0; give 1 or more");
  EXPECT_EQ(refusal(strategy::fixed, [](auto& r) { r.capacity = 99; }),
            "a sequence of 100 tokens does not fit the static capacity of 99; give a capacity of "
            "100 or fewer tokens");
  EXPECT_EQ(refusal(strategy::paged, [](auto& r) { r.blocks = 20; }),
            "the sequences need 21 blocks of 16 tokens and the pool has 20; give 21 blocks or "
            "fewer sequences");
  EXPECT_EQ(refusal(strategy::paged, [](auto& r) { r.shared_prefix = 99; }), "(not refused)");
  for (const std::int64_t prefix : {-1, 100}) {
    EXPECT_EQ(refusal(strategy::paged, [&](auto& r) { r.shared_prefix = prefix; }),
              "a shared prefix of " + std::to_string(prefix) +
                  " tokens and a sequence of 100; give a prefix that each sequence goes on behind, "
                  "or 0 for none");
  }
  EXPECT_EQ(refusal(strategy::paged, [](auto& r) { r.block_tokens = 0; }),
            "the cache has tokens of a block = 0; give 1 or more");
}

TEST(KvCacheEstimate, NamesTheTermThatDoesNotFit64Bits) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_EQ(refusal(strategy::growing, [&](auto& r) { r.layers = large * 64; }),
            "the term \"keys and values\" of the cache, 2 x layers 70368744177664 x tokens 300 x "
            "KV heads 8 x head dimension 128 x 2 B, does not fit 64 bits; make one of its numbers "
            "smaller");
  EXPECT_THAT(refusal(strategy::growing,
                      [&](auto& r) {
                        r.sequences = {{large, large}};
                      }),
              HasSubstr("the tokens of 1099511627776 sequences of 1099511627776 tokens"));
  EXPECT_THAT(refusal(strategy::growing,
                      [&](auto& r) {
                        r.sequences = {{1, large}, {large, 1 << 23}};
                      }),
              HasSubstr("do not fit 64 bits"));
  EXPECT_THAT(refusal(strategy::paged,
                      [&](auto& r) {
                        r.layers = r.kv_heads = r.head_dim = r.element_bytes = r.block_tokens = 1;
                        r.sequences = {{large, 1 << 12}};
                        r.sequences.push_back({1, 1 << 21});
                      }),
              HasSubstr("the term \"block table\" of the cache, sequences 1099511627777"));
  EXPECT_THAT(refusal(strategy::quantized,
                      [&](auto& r) {
                        r.head_dim = 1;
                        r.layers = large * 64;
                        r.kv_heads = 512;
                        r.sequences = {{1, 64}};
                      }),
              HasSubstr("the term \"scales\""));
}

}  // namespace
}  // namespace headroom
