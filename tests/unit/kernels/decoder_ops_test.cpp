// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/linear_weight.hpp>
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
    check_shape(dims);
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

class PackedWeight : public testing::TestWithParam<std::tuple<weight_format, dtype>> {};
INSTANTIATE_TEST_SUITE_P(Formats, PackedWeight,
                         testing::Combine(testing::Values(weight_format::int8, weight_format::int4),
                                          testing::Values(dtype::float32, dtype::bfloat16)),
                         [](const auto& each) {
                           return std::string(name_of(std::get<0>(each.param))) + "_" +
                                  std::string(name_of(std::get<1>(each.param)));
                         });

TEST_P(PackedWeight, IsOffByAtMostOneScaleAndMultipliesAsWhatItIs) {
  const auto [format, type] = GetParam();
  cpu_device cpu;
  constexpr std::int64_t inputs = 11;  // groups of 4, 4 and 3
  constexpr std::int64_t outputs = 6;
  const shape dims{{"inputs", inputs}, {"outputs", outputs}};
  const tensor from = test::make(cpu, dims, type, test::random_values(dims.elements(), 4));
  const linear_weight weight(cpu, {}, dims, type, {format, 4});
  weight.store(cpu, {}, from);
  EXPECT_EQ(weight.plain().address(), nullptr);

  const tensor back(cpu, {}, dims, dtype::float32, tag::other);
  unpack_weight(cpu, {}, weight.packed(), back);
  const std::vector<float> given = test::read(cpu, from);
  const std::vector<float> found = test::read(cpu, back);
  const float levels = format == weight_format::int8 ? 255.0F : 15.0F;
  double worst = 0.0;
  for (std::size_t output = 0; output < outputs; ++output) {
    for (std::size_t first = 0; first < inputs; first += 4) {
      float low = 0.0F;
      float high = 0.0F;
      const std::size_t behind = std::min<std::size_t>(first + 4, inputs);
      for (std::size_t i = first; i < behind; ++i) {
        low = std::min(low, given[i * outputs + output]);
        high = std::max(high, given[i * outputs + output]);
      }
      const float scale = widen(weight.packed().scales[first / 4 * outputs + output]);
      EXPECT_NEAR(scale, (high - low) / levels, 0.012F * (high - low) / levels);
      for (std::size_t i = first; i < behind; ++i) {
        const float off = std::abs(found[i * outputs + output] - given[i * outputs + output]);
        EXPECT_LE(off, scale * 1.0001F) << i << ", " << output;
        worst = std::max(worst, static_cast<double>(off / scale));
      }
    }
  }
  EXPECT_GT(worst, 0.2) << "nothing was rounded";

  const tensor x =
      test::make(cpu, {{"rows", 2}, {"inputs", inputs}}, type, test::random_values(2 * inputs, 5));
  const tensor y = test::make(cpu, {{"rows", 2}, {"outputs", outputs}}, type,
                              std::vector<float>(2 * outputs, 1.0F));
  matrix_library products(cpu, {});
  weight.multiply(cpu, {}, products, matrix_of(x), 1.0F, matrix_of(y));
  const std::vector<float> rows = test::read(cpu, x);
  const std::vector<float> sums = test::read(cpu, y);
  for (std::size_t row = 0; row < 2; ++row) {
    for (std::size_t output = 0; output < outputs; ++output) {
      double sum = 1.0;
      for (std::size_t i = 0; i < inputs; ++i) {
        sum += static_cast<double>(rows[row * inputs + i] * found[i * outputs + output]);
      }
      EXPECT_NEAR(sums[row * outputs + output], sum, type == dtype::float32 ? 1e-5 : 0.05);
    }
  }
}

TEST(PackedWeights, KeepZerosAndExtremesAndRefuseOddOutputs) {
  cpu_device cpu;
  const shape dims{{"inputs", 2}, {"outputs", 2}};
  for (const weight_format format : {weight_format::int8, weight_format::int4}) {
    const linear_weight weight(cpu, {}, dims, dtype::float32, {format, 2});
    weight.store(cpu, {}, test::make(cpu, dims, dtype::float32, {0.0F, 1.0F, 0.0F, -1.0F}));
    const tensor back(cpu, {}, dims, dtype::float32, tag::other);
    unpack_weight(cpu, {}, weight.packed(), back);
    const std::vector<float> found = test::read(cpu, back);
    EXPECT_EQ(found[0], 0.0F);
    EXPECT_EQ(found[2], 0.0F);
    EXPECT_NEAR(found[1], 1.0F, 0.15F);
    EXPECT_NEAR(found[3], -1.0F, 0.15F);
  }
  EXPECT_THROW(linear_weight(cpu, {}, {{"inputs", 2}, {"outputs", 3}}, dtype::float32,
                             {weight_format::int4, 2}),
               usage_error);
  EXPECT_THROW(static_cast<void>(weight_format_from_name("int2")), usage_error);
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
