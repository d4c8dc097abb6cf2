// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Decoding over each cache against a recompute of the whole prefix.
#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <optional>

#include "decoder_support.hpp"

namespace headroom::kernels {
namespace {

using strategy = kv_cache_strategy;
using tokens = std::vector<std::vector<std::int32_t>>;

/// Three sequences; one has a prompt of one token, one is longer than a tile of the tiled form.
const std::vector<std::int64_t> lengths{14, 6, 300};
const std::vector<std::size_t> prompts{9, 1, 295};

class DecoderCache : public testing::TestWithParam<std::tuple<attention_form, dtype>> {
 protected:
  DecoderCache()
      : dims_(test::small_decoder(std::get<1>(GetParam()))),
        network_(std::in_place, cpu_, stream_id{}, dims_, 7) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      sequences_.push_back(
          test::some_tokens(lengths[i], dims_.vocabulary, static_cast<std::uint32_t>(i)));
    }
  }
  static attention_form form() { return std::get<0>(GetParam()); }

  /// Logits of each step: prompts, then token by token until the shortest sequence ends.
  std::vector<std::vector<float>> decode(strategy which, std::int64_t window) {
    kv_cache_settings settings = test::cache_for(dims_, which, lengths);
    if (window > 0) settings.window = window;
    test::running_decoder run(cpu_, *network_, settings, {form(), window});
    std::vector<std::vector<float>> found;
    for (std::size_t step = 0; step <= steps; ++step) {
      tokens fresh;
      for (std::size_t i = 0; i < sequences_.size(); ++i) {
        const auto begin = sequences_[i].begin();
        const auto behind = static_cast<std::ptrdiff_t>(prompts[i] + step);
        fresh.emplace_back(step == 0 ? begin : begin + behind - 1, begin + behind);
      }
      found.push_back(run.step(fresh));
    }
    return found;
  }
  /// The same, each time from nothing.
  std::vector<std::vector<float>> recompute(std::int64_t window) {
    std::vector<std::vector<float>> found;
    for (std::size_t step = 0; step <= steps; ++step) {
      test::running_decoder run(cpu_, *network_, test::cache_for(dims_, strategy::growing, lengths),
                                {attention_form::materialised, window});
      tokens prefix = sequences_;
      for (std::size_t i = 0; i < prefix.size(); ++i) prefix[i].resize(prompts[i] + step);
      found.push_back(run.step(prefix));
    }
    return found;
  }
  void expect_near(const std::vector<std::vector<float>>& found,
                   const std::vector<std::vector<float>>& expected, double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_LT(test::relative_difference(found[i], expected[i]), tolerance) << "step " << i;
    }
  }
  // float32: 1e-4; bfloat16 has 8 bits, and each step rounds a few hundred times.
  static double tolerance() { return std::get<1>(GetParam()) == dtype::float32 ? 1e-4 : 0.06; }

  static constexpr std::size_t steps = 5;
  cpu_device cpu_;
  decoder_shape dims_;
  std::optional<decoder_network> network_;
  tokens sequences_;
};
INSTANTIATE_TEST_SUITE_P(Forms, DecoderCache,
                         testing::Combine(testing::Values(attention_form::materialised,
                                                          attention_form::tiled),
                                          testing::Values(dtype::float32, dtype::bfloat16)),
                         [](const auto& each) {
                           return std::string(name_of(std::get<0>(each.param))) + "_" +
                                  std::string(name_of(std::get<1>(each.param)));
                         });

TEST_P(DecoderCache, DecodingEqualsARecomputeOfThePrefix) {
  const auto expected = recompute(0);
  for (const strategy which :
       {strategy::growing, strategy::fixed, strategy::offloaded, strategy::paged}) {
    SCOPED_TRACE(name_of(which));
    expect_near(decode(which, 0), expected, tolerance());
  }
}

TEST_P(DecoderCache, ExactCachesAgreeToTheBit) {
  const auto growing = decode(strategy::growing, 0);
  for (const strategy which : {strategy::fixed, strategy::offloaded, strategy::paged}) {
    EXPECT_EQ(decode(which, 0), growing) << name_of(which);
  }
}

TEST_P(DecoderCache, ASlidingWindowEqualsFullAttentionWithItsMask) {
  for (const std::int64_t window : {1, 4, 11}) {
    SCOPED_TRACE(window);
    const auto expected = recompute(window);
    expect_near(decode(strategy::sliding_window, window), expected, tolerance());
    expect_near(decode(strategy::growing, window), expected, tolerance());
    EXPECT_GT(test::relative_difference(recompute(0)[1], expected[1]), 0.05) << "no mask at all";
  }
}

TEST_P(DecoderCache, Int8StaysWithinTwoHundredthsOfTheExactLogits) {
  const auto exact = decode(strategy::growing, 0);
  const auto rounded = decode(strategy::quantized, 0);
  EXPECT_EQ(rounded[0], exact[0]) << "a prompt looks at its own keys, which are exact";
  EXPECT_NE(rounded[1], exact[1]);
  expect_near(rounded, exact, std::max(0.02, tolerance()));
}

TEST_P(DecoderCache, PackedWeightsStayNearTheExactLogits) {
  const auto exact = decode(strategy::growing, 0);
  for (const auto& [format, tolerance] :
       {std::pair{weight_format::int8, 0.05}, {weight_format::int4, 0.5}}) {
    network_.emplace(cpu_, stream_id{}, dims_, 7,
                     weight_loading{weight_staging::none, {format, 8}});
    const auto found = decode(strategy::growing, 0);
    EXPECT_NE(found, exact);
    expect_near(found, exact, tolerance);
  }
}

TEST_P(DecoderCache, AFormOfAttentionIsNoOtherFunction) {
  const auto own = decode(strategy::growing, 0);
  expect_near(own, recompute(0), tolerance());
}

TEST_P(DecoderCache, RefusesStepsThatDoNotFitAndChangesNothing) {
  test::running_decoder run(cpu_, *network_, test::cache_for(dims_, strategy::fixed, {4, 4}), {});
  run.step({{1, 2, 3}, {}});
  EXPECT_THROW(run.step({{1, 2}, {3}}), usage_error);  // 5 tokens
  EXPECT_EQ(run.cache().tokens(0, 0), 3);
  EXPECT_EQ(run.cache().tokens(0, 1), 0);
  EXPECT_NO_THROW(run.step({{1}, {3}}));
  test::running_decoder other(cpu_, *network_,
                              test::cache_for(dims_, strategy::sliding_window, {8}), {});
  EXPECT_THROW(other.step({{1, 2, 3}}), usage_error);  // a window of 4 and queries that see all
}

}  // namespace
}  // namespace headroom::kernels
