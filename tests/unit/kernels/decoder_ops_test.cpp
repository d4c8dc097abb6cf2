// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/ops/embedding.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <headroom_kernels/ops/masked_softmax.hpp>
#include <headroom_kernels/ops/quantize.hpp>
#include <headroom_kernels/ops/rotary.hpp>

#include "decoder_support.hpp"

namespace headroom::kernels {
namespace {

using testing::Each;
using testing::HasSubstr;

TEST(DecoderShape, PresetsHaveTheParametersOfTheirModels) {
  const auto parameters = [](const char* name) {
    return decoder_preset(name).value().parameters();
  };
  EXPECT_EQ(parameters("1b"), 1235814400);
  EXPECT_EQ(parameters("7b"), 6738415616);
  EXPECT_EQ(parameters("8b"), 8030261248);
  EXPECT_EQ(parameters("70b"), 70553706496);
  EXPECT_EQ(decoder_preset("8B"), std::nullopt);
  EXPECT_EQ(decoder_preset_names().size(), 4U);
}

std::string refusal(void (*change)(decoder_shape&)) {
  decoder_shape dims = test::small_decoder();
  change(dims);
  try {
    check(dims);
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(DecoderShape, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal([](decoder_shape&) {}), "(not refused)");
  EXPECT_EQ(refusal([](decoder_shape& d) { d.ffn = 0; }), "a decoder has ffn = 0; give 1 or more");
  EXPECT_EQ(refusal([](decoder_shape& d) { d.kv_heads = 3; }),
            "a decoder has 4 heads and 3 kv_heads; give heads that are a multiple of kv_heads, so "
            "that each of these serves as many queries");
  EXPECT_EQ(refusal([](decoder_shape& d) { d.head_dim = 7; }),
            "a decoder has head_dim = 7; give an even number: rotary positions turn pairs");
  EXPECT_THAT(refusal([](decoder_shape& d) { d.layers = std::int64_t{1} << 60; }),
              HasSubstr("attention norm of a decoder, 24 x 1152921504606846976"));
  EXPECT_THAT(refusal([](decoder_shape& d) { d.width = std::int64_t{1} << 60; }),
              HasSubstr("[vocabulary 50, width 1152921504606846976]"));
  EXPECT_THAT(refusal([](decoder_shape& d) { d.heads = std::int64_t{1} << 61; }),
              HasSubstr("queries, heads x head_dim of a decoder"));
}

TEST(Embedding, GivesTheRowsOfTheTokensAndNaNForUnknownOnes) {
  cpu_device cpu;
  const tensor table =
      test::make(cpu, {{"vocabulary", 3}, {"width", 2}}, dtype::float32, {0, 1, 10, 11, 20, 21});
  std::vector<std::int32_t> numbers{2, 0, 3, -1};
  const tensor y(cpu, {}, {{"rows", 4}, {"width", 2}}, dtype::float32, tag::other);
  embedding(cpu, {}, table, {numbers.data(), 4}, y);
  const std::vector<float> found = test::read(cpu, y);
  EXPECT_THAT(std::vector<float>(found.begin(), found.begin() + 4),
              testing::ElementsAre(20, 21, 0, 1));
  for (std::size_t i = 4; i < 8; ++i) EXPECT_TRUE(std::isnan(found[i])) << i;
  EXPECT_THROW(embedding(cpu, {}, table, {numbers.data(), 3}, y), usage_error);
}

TEST(FillClasses, StayBelowTheirNumberAndReachAllOfThem) {
  cpu_device cpu;
  std::vector<std::int32_t> found(2000);
  fill_classes(cpu, {}, {found.data(), 2000}, 5, 7);
  std::vector<int> counts(7);
  for (const std::int32_t each : found) ++counts.at(static_cast<std::size_t>(each));
  EXPECT_THAT(counts, Each(testing::Gt(200)));
}

TEST(Rotary, TurnsPairsByTheirPositionAndBack) {
  cpu_device cpu;
  const std::vector<float> values = test::random_values(3 * 2 * 4, 3);
  const shape dims{{"tokens", 3}, {"heads", 2}, {"head_dim", 4}};
  const tensor x = test::make(cpu, dims, dtype::float32, values);
  const head_rows rows{x.address(), 3, 8, 2, 4, dtype::float32};
  const std::int64_t first = 100000;
  rotary(cpu, {}, rows, first, 10000.0F);
  const std::vector<float> found = test::read(cpu, x);
  for (std::size_t token = 0; token < 3; ++token) {
    for (std::size_t head = 0; head < 2; ++head) {
      for (std::size_t pair = 0; pair < 2; ++pair) {
        const std::size_t at = token * 8 + head * 4 + pair;
        const double angle = static_cast<double>(first + static_cast<std::int64_t>(token)) /
                             (pair == 0 ? 1.0 : 100.0);
        const auto a = static_cast<double>(values[at]);
        const auto b = static_cast<double>(values[at + 2]);
        EXPECT_NEAR(found[at], a * std::cos(angle) - b * std::sin(angle), 1e-6);
        EXPECT_NEAR(found[at + 2], b * std::cos(angle) + a * std::sin(angle), 1e-6);
      }
    }
  }
  rotary(cpu, {}, rows, first, 10000.0F, rotation::backward);
  EXPECT_LT(test::relative_difference(test::read(cpu, x), values), 1e-6);
  EXPECT_THROW(rotary(cpu, {}, {x.address(), 3, 8, 2, 3, dtype::float32}, 0, 1e4F), usage_error);
}

TEST(MaskedSoftmax, SeesNothingAheadAndNothingBehindTheWindow) {
  cpu_device cpu;
  const tensor scores = test::make(cpu, {{"heads", 1}, {"queries", 2}, {"keys", 5}}, dtype::float32,
                                   {9, 1, 1, 9, 9, 9, 9, 2, 2, 9});
  // Keys at positions 10 to 14, queries at 12 and 13 that see two tokens.
  masked_softmax(cpu, {}, scores, {12, 10, 2});
  EXPECT_THAT(test::read(cpu, scores),
              testing::ElementsAre(0, 0.5F, 0.5F, 0, 0, 0, 0, 0.5F, 0.5F, 0));
}

TEST(Int8Rows, AreOffByAtMostHalfAScale) {
  cpu_device cpu;
  for (const dtype type : {dtype::float32, dtype::bfloat16}) {
    const tensor x =
        test::make(cpu, {{"rows", 5}, {"width", 12}}, type, test::random_values(60, 9));
    std::vector<float> values = test::read(cpu, x);
    std::vector<std::int8_t> numbers(60);
    std::vector<float> scales(15);
    const int8_rows rows{numbers.data(), scales.data(), 4};
    quantize_rows(cpu, {}, matrix_of(x), rows);
    const tensor y(cpu, {}, x.dims(), dtype::float32, tag::other);
    dequantize_rows(cpu, {}, rows, matrix_of(y));
    const std::vector<float> back = test::read(cpu, y);
    for (std::size_t group = 0; group < 15; ++group) {
      float most = 0.0F;
      for (std::size_t i = 0; i < 4; ++i) most = std::max(most, std::abs(values[group * 4 + i]));
      EXPECT_FLOAT_EQ(scales[group], most / 127.0F);
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_LE(std::abs(back[group * 4 + i] - values[group * 4 + i]), most / 254.0F * 1.0001F);
      }
    }
    EXPECT_THROW(quantize_rows(cpu, {}, matrix_of(x), {numbers.data(), scales.data(), 5}),
                 usage_error);
  }
}

TEST(Int8Rows, OfZerosStayZeros) {
  cpu_device cpu;
  const tensor x = test::make(cpu, {{"rows", 1}, {"width", 4}}, dtype::float32, {0, 0, 0, 0});
  std::vector<std::int8_t> numbers(4, 9);
  float scale = 1.0F;
  quantize_rows(cpu, {}, matrix_of(x), {numbers.data(), &scale, 4});
  EXPECT_THAT(numbers, Each(0));
  EXPECT_EQ(scale, 0.0F);
}

}  // namespace
}  // namespace headroom::kernels
