// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom_kernels/ops/bias_gelu.hpp>
#include <headroom_kernels/ops/convert.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <numeric>
#include <set>

#include "values.hpp"

namespace headroom::kernels {
namespace {

using test::make;
using test::random_values;
using test::read;
using testing::HasSubstr;

double gelu_ref(double v) {
  return 0.5 * v * (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (v + 0.044715 * v * v * v)));
}

class Op : public testing::TestWithParam<dtype> {
 protected:
  cpu_device cpu_;
};
INSTANTIATE_TEST_SUITE_P(Ops, Op, testing::Values(dtype::float32, dtype::bfloat16),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(Op, BiasGeluForwardMeetsADoubleLoop) {
  const shape dims{{"batch", 2}, {"context", 3}, {"width", 37}};
  std::vector<float> values = random_values(dims.elements(), 1);
  for (float& value : values) value *= 12.0F;  // into both tails
  const tensor x = make(cpu_, dims, GetParam(), values);
  const tensor bias = make(cpu_, {{"width", 37}}, GetParam(), random_values(37, 2));
  const tensor y(cpu_, {}, dims, GetParam(), tag::other);
  bias_gelu_forward(cpu_, {}, x, bias, y);

  const std::vector<float> xs = read(cpu_, x);
  const std::vector<float> biases = read(cpu_, bias);
  const std::vector<float> ys = read(cpu_, y);
  for (std::size_t i = 0; i < ys.size(); ++i) {
    const double v = static_cast<double>(xs[i]) + biases[i % 37];
    // The sum x + bias is rounded once (2^-24), which the tail amplifies; then the type's rounding.
    const double tolerance = std::abs(gelu_ref(v)) * (test::rounding_of(GetParam()) + 2e-5) + 1e-9;
    ASSERT_NEAR(ys[i], gelu_ref(v), tolerance) << "at " << i << ", x + bias " << v;
  }
}

TEST_P(Op, BiasGeluForwardInPlaceGivesTheSameBits) {
  const shape dims{{"rows", 5}, {"width", 19}};
  const tensor x = make(cpu_, dims, GetParam(), random_values(95, 3));
  const tensor bias = make(cpu_, {{"width", 19}}, GetParam(), random_values(19, 4));
  const tensor y(cpu_, {}, dims, GetParam(), tag::other);
  bias_gelu_forward(cpu_, {}, x, bias, y);
  bias_gelu_forward(cpu_, {}, x, bias, x);
  EXPECT_EQ(read(cpu_, x), read(cpu_, y));
}

TEST(BiasGeluForward, RefusesWhatDoesNotFitTogether) {
  cpu_device cpu;
  const tensor x(cpu, {}, {{"rows", 2}, {"width", 3}}, dtype::float32, tag::other);
  const tensor bias(cpu, {}, {{"width", 3}}, dtype::float32, tag::other);
  const tensor wide_bias(cpu, {}, {{"width", 4}}, dtype::float32, tag::other);
  const tensor short_bias(cpu, {}, {{"width", 3}}, dtype::bfloat16, tag::other);
  const tensor y(cpu, {}, {{"rows", 3}, {"width", 3}}, dtype::float32, tag::other);
  EXPECT_THROW(bias_gelu_forward(cpu, {}, x, bias, y), usage_error);
  EXPECT_THROW(bias_gelu_forward(cpu, {}, x, short_bias, x), usage_error);
  try {
    bias_gelu_forward(cpu, {}, x, wide_bias, x);
    ADD_FAILURE() << "a bias of another width was accepted";
  } catch (const usage_error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("x float32 [rows 2, width 3], bias float32 [width 4]"));
  }
}

TEST(Convert, RoundsToBfloat16AndBack) {
  cpu_device cpu;
  const std::vector<float> values = random_values(1001, 5);
  const shape dims{{"count", 1001}};
  const tensor x = make(cpu, dims, dtype::float32, values);
  const tensor small(cpu, {}, dims, dtype::bfloat16, tag::other);
  const tensor back(cpu, {}, dims, dtype::float32, tag::other);
  convert(cpu, {}, x, small);
  convert(cpu, {}, small, back);
  const std::vector<float> rounded = read(cpu, back);
  EXPECT_EQ(rounded, read(cpu, small));
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_NEAR(rounded[i], values[i], std::abs(values[i]) * 0x1p-8F) << "at " << i;
  }
  EXPECT_NE(rounded, values);
  EXPECT_THROW(convert(cpu, {}, x, tensor(cpu, {}, {{"count", 1000}}, dtype::float32, tag::other)),
               usage_error);
}

TEST_P(Op, FillUniformIsSpreadEvenlyOverItsRange) {
  const tensor y(cpu_, {}, {{"count", 100000}}, GetParam(), tag::other);
  fill_uniform(cpu_, {}, y, 1234, 2.0F);
  const std::vector<float> values = read(cpu_, y);
  std::vector<int> tenths(10, 0);
  for (const float value : values) {
    ASSERT_GE(value, -2.0F);
    ASSERT_LE(value, 2.0F);
    ++tenths[static_cast<std::size_t>(std::min(9.0F, (value + 2.0F) * 2.5F))];
  }
  // 10 000 expected in each; five standard deviations are 474. bfloat16 moves values over an edge.
  for (const int count : tenths) EXPECT_NEAR(count, 10000, 474);
}

TEST(FillUniform, DependsOnSeedAndIndexAlone) {
  cpu_device cpu;
  const shape dims{{"count", 64}};
  const tensor a(cpu, {}, dims, dtype::float32, tag::other);
  const tensor longer(cpu, {}, {{"count", 128}}, dtype::float32, tag::other);
  const tensor rounded(cpu, {}, dims, dtype::bfloat16, tag::other);
  const tensor other(cpu, {}, dims, dtype::float32, tag::other);
  fill_uniform(cpu, {}, a, 7, 1.0F);
  fill_uniform(cpu, {}, longer, 7, 1.0F);
  fill_uniform(cpu, {}, rounded, 7, 1.0F);
  fill_uniform(cpu, {}, other, 8, 1.0F);
  const std::vector<float> values = read(cpu, a);
  std::vector<float> beginning = read(cpu, longer);
  beginning.resize(64);
  EXPECT_EQ(values, beginning);
  EXPECT_NE(values, read(cpu, other));
  EXPECT_EQ(std::set<float>(values.begin(), values.end()).size(), 64U);
  const std::vector<float> short_values = read(cpu, rounded);
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(short_values[i], widen(narrow<bfloat16>(values[i])));
  }
}

TEST(FillUniform, ValuesOfARevisionStay) {
  // Budgets and recorded results name a seed; what it stands for must not change.
  cpu_device cpu;
  const tensor y(cpu, {}, {{"count", 3}}, dtype::float32, tag::other);
  fill_uniform(cpu, {}, y, 1234, 1.0F);
  EXPECT_THAT(read(cpu, y), testing::ElementsAre(-0x3d5096p-23F, -0x5e87fp-23F, 0x15291ep-23F));
}

TEST(SeedOf, GivesUnrelatedSeeds) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (std::uint64_t number = 0; number < 50; ++number) seeds.insert(seed_of(seed, number));
  }
  EXPECT_EQ(seeds.size(), 2500U);
}

}  // namespace
}  // namespace headroom::kernels
