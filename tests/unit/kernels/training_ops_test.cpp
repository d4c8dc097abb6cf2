// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <headroom/device/cpu_device.hpp>
#include <headroom_kernels/ops/bias_gelu.hpp>
#include <headroom_kernels/ops/column_sums.hpp>
#include <headroom_kernels/ops/loss.hpp>

#include "op_fixture.hpp"
#include "values.hpp"

namespace headroom::kernels {
namespace {

using test::make;
using test::random_values;
using test::read;
using test::refusal;
using testing::ElementsAre;
using testing::HasSubstr;

using TrainingOp = test::OpFixture;
INSTANTIATE_TEST_SUITE_P(Ops, TrainingOp, testing::Values(dtype::float32, dtype::bfloat16),
                         [](const auto& each) { return std::string(name_of(each.param)); });

double gelu_ref(double v) {
  return 0.5 * v * (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (v + 0.044715 * v * v * v)));
}

TEST_P(TrainingOp, BiasGeluBackwardIsTheSlopeOfTheForward) {
  const shape dims{{"rows", 7}, {"width", 37}};
  const tensor x = values(dims, 1, 6.0F);
  const tensor bias = values({{"width", 37}}, 2);
  const tensor dy = values(dims, 3);
  const tensor dx(cpu_, {}, dims, GetParam(), tag::other);
  bias_gelu_backward(cpu_, {}, x, bias, dy, dx);
  const std::vector<float> xs = read(cpu_, x);
  const std::vector<float> biases = read(cpu_, bias);
  const std::vector<float> dys = read(cpu_, dy);
  const std::vector<float> dxs = read(cpu_, dx);
  for (std::size_t i = 0; i < dxs.size(); ++i) {
    const double v = static_cast<double>(xs[i]) + biases[i % 37];
    constexpr double h = 1e-5;
    const double slope = (gelu_ref(v + h) - gelu_ref(v - h)) / (2 * h);
    const double tolerance = std::abs(slope * dys[i]) * test::rounding_of(GetParam()) + 4e-6;
    ASSERT_NEAR(dxs[i], slope * dys[i], tolerance) << "at " << i << ", x + bias " << v;
  }
  bias_gelu_backward(cpu_, {}, x, bias, dy, dy);
  EXPECT_EQ(read(cpu_, dy), dxs) << "in place";
}

TEST_P(TrainingOp, BiasGeluBackwardIsFiniteFarOut) {
  const tensor x =
      make(cpu_, {{"rows", 1}, {"width", 4}}, GetParam(), {-1e4F, -60.0F, 60.0F, 1e4F});
  const tensor bias = make(cpu_, {{"width", 4}}, GetParam(), {0, 0, 0, 0});
  const tensor dy = make(cpu_, x.dims(), GetParam(), {1, 1, 1, 1});
  bias_gelu_backward(cpu_, {}, x, bias, dy, dy);
  EXPECT_THAT(read(cpu_, dy), ElementsAre(0, 0, 1, 1));
}

TEST_P(TrainingOp, ColumnSumsMeetADoubleLoopAtEveryWidth) {
  for (const std::int64_t width : {1, 15, 16, 17, 50}) {
    SCOPED_TRACE(width);
    const shape dims{{"batch", 3}, {"context", 11}, {"width", width}};
    const tensor x = values(dims, 5);
    const tensor sums = floats({{"width", width}});
    column_sums(cpu_, {}, x, sums, accumulate::no);
    std::vector<double> expected(static_cast<std::size_t>(width));
    const std::vector<float> xs = read(cpu_, x);
    for (std::size_t i = 0; i < xs.size(); ++i) expected[i % expected.size()] += xs[i];
    std::vector<float> found = read(cpu_, sums);
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-5);
    column_sums(cpu_, {}, x, sums, accumulate::yes);
    found = read(cpu_, sums);
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], 2 * expected[i], 2e-5);
  }
}

/// Loss of a row of logits in double precision.
double cross_entropy_ref(const std::vector<double>& logits, std::size_t wanted) {
  double sum = 0;
  for (const double value : logits) sum += std::exp(value);
  return std::log(sum) - logits[wanted];
}

TEST_P(TrainingOp, SoftmaxCrossEntropyMeetsADoubleLoopAndItsSlope) {
  constexpr std::size_t width = 21;
  const tensor y = values({{"rows", 6}, {"width", width}}, 7, 4.0F);
  std::vector<std::int32_t> classes{0, 20, 3, 3, 11, 7};
  const tensor losses = floats({{"rows", 6}});
  const std::vector<float> logits = read(cpu_, y);
  softmax_cross_entropy(cpu_, {}, y, {classes.data(), 6}, 0.25F, losses);
  const std::vector<float> found = read(cpu_, losses);
  const std::vector<float> slopes = read(cpu_, y);
  for (std::size_t row = 0; row < 6; ++row) {
    std::vector<double> own(logits.begin() + static_cast<std::ptrdiff_t>(row * width),
                            logits.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
    const auto wanted = static_cast<std::size_t>(classes[row]);
    ASSERT_NEAR(found[row], 0.25 * cross_entropy_ref(own, wanted), 2e-6);
    for (std::size_t i = 0; i < width; ++i) {
      constexpr double h = 1e-5;
      const double at = own[i];
      own[i] = at + h;
      const double above = cross_entropy_ref(own, wanted);
      own[i] = at - h;
      const double slope = 0.25 * (above - cross_entropy_ref(own, wanted)) / (2 * h);
      own[i] = at;
      ASSERT_NEAR(slopes[row * width + i], slope,
                  std::abs(slope) * test::rounding_of(GetParam()) + 1e-6);
    }
  }
}

TEST(SoftmaxCrossEntropy, IsExactForLargeLogitsAndNaNForAClassThatThereIsNot) {
  cpu_device cpu;
  const tensor y = make(cpu, {{"rows", 3}, {"width", 2}}, dtype::float32, {3e4F, 0, 0, 0, 0, 0});
  std::vector<std::int32_t> classes{1, 2, -1};
  const tensor losses(cpu, {}, {{"rows", 3}}, dtype::float32, tag::other);
  softmax_cross_entropy(cpu, {}, y, {classes.data(), 3}, 1.0F, losses);
  const std::vector<float> found = read(cpu, losses);
  EXPECT_EQ(found[0], 3e4F);
  EXPECT_TRUE(std::isnan(found[1]));
  EXPECT_TRUE(std::isnan(found[2]));
}

TEST_P(TrainingOp, SquaredErrorMeetsADoubleLoopAndItsSlope) {
  const shape dims{{"rows", 4}, {"width", 19}};
  const tensor y = values(dims, 8);
  const tensor target = values(dims, 9);
  const tensor losses = floats({{"rows", 4}});
  const std::vector<float> ys = read(cpu_, y);
  const std::vector<float> targets = read(cpu_, target);
  squared_error(cpu_, {}, y, target, 0.5F, losses);
  const std::vector<float> found = read(cpu_, losses);
  const std::vector<float> slopes = read(cpu_, y);
  std::vector<double> expected(4);
  for (std::size_t i = 0; i < ys.size(); ++i) {
    const double difference = static_cast<double>(ys[i]) - targets[i];
    expected[i / 19] += 0.5 * difference * difference;
    ASSERT_NEAR(slopes[i], difference, std::abs(difference) * test::rounding_of(GetParam()) + 1e-7);
  }
  for (std::size_t row = 0; row < 4; ++row) ASSERT_NEAR(found[row], expected[row], 1e-5);
}

TEST(SumElements, KeepsSmallNumbersBehindLargeOnes) {
  cpu_device cpu;
  std::vector<float> values(10001, 0x1p-12F);
  values[0] = 0x1p12F;
  const tensor x = make(cpu, {{"count", 10001}}, dtype::float32, values);
  const tensor sum(cpu, {}, {{"sum", 1}}, dtype::float32, tag::other);
  sum_elements(cpu, {}, x, sum);
  EXPECT_THAT(read(cpu, sum), ElementsAre(0x1p12F + 10000 * 0x1p-12F));
}

TEST_P(TrainingOp, LargestOfRowsIsTheFirstOfEqualOnes) {
  const tensor x = make(cpu_, {{"rows", 4}, {"width", 3}}, GetParam(),
                        {1, 3, 2, -1, -1, -2, -3, -2, -2, 0, -0.5F, 0});
  std::vector<std::int32_t> classes(4, 77);
  largest_of_rows(cpu_, {}, x, {classes.data(), 4});
  EXPECT_THAT(classes, ElementsAre(1, 0, 1, 0));
}

TEST(TrainingOps, RefuseWhatDoesNotFitTogether) {
  cpu_device cpu;
  const auto tensor_of = [&](std::int64_t rows, std::int64_t width, dtype type = dtype::float32) {
    return tensor(cpu, {}, {{"rows", rows}, {"width", width}}, type, tag::other);
  };
  const auto row_of = [&](std::int64_t width, dtype type = dtype::float32) {
    return tensor(cpu, {}, {{"width", width}}, type, tag::other);
  };
  const tensor x = tensor_of(2, 3);
  const tensor taller = tensor_of(3, 3);
  const tensor bias = row_of(3);
  std::vector<std::int32_t> classes(3);

  EXPECT_THAT(refusal([&] { bias_gelu_backward(cpu, {}, x, bias, taller, x); }),
              HasSubstr("dy float32 [rows 3, width 3]"));
  EXPECT_THAT(refusal([&] { bias_gelu_backward(cpu, {}, x, row_of(2), x, x); }),
              HasSubstr("bias float32 [width 2]"));
  EXPECT_THAT(refusal([&] { column_sums(cpu, {}, x, row_of(2), accumulate::no); }),
              HasSubstr("sums float32 [width 2]"));
  EXPECT_THAT(refusal([&] { column_sums(cpu, {}, x, row_of(3, dtype::bfloat16), accumulate::no); }),
              HasSubstr("in float32"));
  EXPECT_EQ(refusal([&] {
              softmax_cross_entropy(cpu, {}, x, {classes.data(), 3}, 1, row_of(2));
            }),
            "softmax_cross_entropy: 3 classes for [rows 2, width 3]; give one for each of its 2 "
            "rows");
  EXPECT_THAT(refusal([&] {
                softmax_cross_entropy(cpu, {}, x, {classes.data(), 2}, 1, row_of(3));
              }),
              HasSubstr("rows float32 [width 3]"));
  EXPECT_THAT(refusal([&] { squared_error(cpu, {}, x, taller, 1, row_of(2)); }),
              HasSubstr("target float32 [rows 3, width 3]"));
  EXPECT_THAT(refusal([&] { sum_elements(cpu, {}, x, row_of(2)); }), HasSubstr("one element"));
  EXPECT_THAT(refusal([&] {
                largest_of_rows(cpu, {}, x, {classes.data(), 1});
              }),
              HasSubstr("1 classes"));
}

}  // namespace
}  // namespace headroom::kernels
