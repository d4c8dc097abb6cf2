// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom_kernels/dense_forward_plan.hpp>
#include <headroom_kernels/dense_network.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <limits>

#include "values.hpp"

namespace headroom::kernels {
namespace {

using test::read;
using testing::HasSubstr;

/// The network in double precision, from the weights as they are stored.
std::vector<double> forward_ref(device& on, const dense_network& network,
                                const std::vector<float>& input) {
  const auto width = static_cast<std::size_t>(network.dims().width);
  std::vector<double> x(input.begin(), input.end());
  for (const auto& layer : network.layers()) {
    const std::vector<float> weight = read(on, layer.weight);
    const std::vector<float> bias = read(on, layer.bias);
    std::vector<double> y(x.size());
    for (std::size_t at = 0; at < x.size(); ++at) {
      const std::size_t row = at / width;
      const std::size_t column = at % width;
      double sum = bias[column];
      for (std::size_t i = 0; i < width; ++i)
        sum += x[row * width + i] * weight[i * width + column];
      y[at] =
          0.5 * sum *
          (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (sum + 0.044715 * sum * sum * sum)));
    }
    x = y;
  }
  return x;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

tensor inputs_of(device& on, const dense_shape& dims) {
  tensor x(on, {}, dims.activation(), dims.type, tag::inputs);
  fill_uniform(on, {}, x, 99, 1.0F);
  return x;
}

class DenseForward : public testing::TestWithParam<dtype> {
 protected:
  cpu_device cpu_;
};
INSTANTIATE_TEST_SUITE_P(DenseNetwork, DenseForward,
                         testing::Values(dtype::float32, dtype::bfloat16),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(DenseForward, ForwardMeetsADoubleLoop) {
  const dense_shape dims{2, 5, 67, 3, GetParam()};
  const dense_network network(cpu_, {}, dims, 42);
  matrix_library products(cpu_, {});
  const tensor x = inputs_of(cpu_, dims);
  const std::vector<float> y = read(cpu_, network.forward(products, x));
  const std::vector<double> expected = forward_ref(cpu_, network, read(cpu_, x));

  ASSERT_EQ(y.size(), expected.size());
  EXPECT_GT(largest(expected), 0.1) << "the network's output is too small to compare";
  // Each of 3 layers sums 67 products in float32, then rounds product and GELU once to the type.
  const double tolerance =
      largest(expected) * 3 * (67 * 0x1p-24 + 2 * test::rounding_of(GetParam()));
  for (std::size_t i = 0; i < y.size(); ++i)
    ASSERT_NEAR(y[i], expected[i], tolerance) << "at " << i;
}

TEST_P(DenseForward, TwoRunsGiveTheSameBits) {
  const dense_shape dims{1, 9, 130, 2, GetParam()};
  std::vector<std::vector<float>> results;
  for (int run = 0; run < 2; ++run) {
    cpu_device own;
    const dense_network network(own, {}, dims, 7);
    matrix_library products(own, {});
    results.push_back(read(own, network.forward(products, inputs_of(own, dims))));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_P(DenseForward, ActivationsStayInRangeOverManyLayers) {
  const dense_shape dims{1, 4, 64, 40, GetParam()};
  const dense_network network(cpu_, {}, dims, 5);
  matrix_library products(cpu_, {});
  const std::vector<float> y = read(cpu_, network.forward(products, inputs_of(cpu_, dims)));
  for (const float value : y) ASSERT_TRUE(std::isfinite(value));
  const std::vector<double> sizes(y.begin(), y.end());
  EXPECT_GT(largest(sizes), 1e-3);
  EXPECT_LT(largest(sizes), 1e3);
}

class DenseCounters : public testing::TestWithParam<dense_shape> {};
constexpr dense_shape counted_shapes[] = {
    {1, 4, 64, 1, dtype::float32},        {2, 128, 1024, 4, dtype::float32},
    {3, 7, 33, 5, dtype::bfloat16},       {1, 1, 1, 1, dtype::bfloat16},
    {1, 16384, 2048, 6, dtype::bfloat16}, {1, 4, 64, 1, dtype::float32, 5},
    {2, 128, 1024, 4, dtype::float32, 8}, {3, 7, 33, 5, dtype::bfloat16, 2}};
INSTANTIATE_TEST_SUITE_P(DenseNetwork, DenseCounters, testing::ValuesIn(counted_shapes),
                         [](const auto& each) {
                           const dense_shape& dims = each.param;
                           return fmt::format("{}x{}x{}_{}layers_{}_rank_{}", dims.batch,
                                              dims.context, dims.width, dims.layers,
                                              name_of(dims.type), dims.adapter_rank);
                         });

TEST_P(DenseCounters, EqualThePlan) {
  plan_device on(bytes{std::int64_t{64} << 30});
  const dense_forward_plan plan = plan_dense_forward(GetParam(), matrix_library::default_workspace);
  const auto now = [&] { return *on.counters().read()[counter_id::allocated_current]; };
  const dense_network network(on, {}, GetParam(), 1);
  EXPECT_EQ(now(), plan.weights);
  matrix_library products(on, {});
  const tensor x = inputs_of(on, GetParam());
  EXPECT_EQ(now(), plan.weights + plan.input);
  on.counters().reset_peaks();
  const tensor y = network.forward(products, x);
  EXPECT_EQ(now(), plan.between_passes());
  EXPECT_EQ(*on.counters().read()[counter_id::allocated_peak], plan.peak());
}

TEST(DensePlan, HoldsThreeActivationTensorsAtMost) {
  const dense_forward_plan plan =
      plan_dense_forward({2, 128, 1024, 4, dtype::float32}, bytes{8 << 20});
  EXPECT_EQ(plan.weights, bytes{4198400} * 4);
  EXPECT_EQ(plan.peak(), plan.weights + bytes{3 << 20} + bytes{8 << 20});
  EXPECT_EQ(plan.between_passes(), plan.weights + bytes{2 << 20} + bytes{8 << 20});
  // One layer has the network's input for its own.
  EXPECT_EQ(plan_dense_forward({2, 128, 1024, 1, dtype::float32}, bytes{8 << 20}).activations,
            bytes{1 << 20});
}

TEST(DensePlan, RefusesWhatDoesNotFit64BitsAndNamesTheTerm) {
  const std::int64_t large = std::int64_t{1} << 40;
  try {
    static_cast<void>(dense_shape{1, 1, large, 1}.parameters());
    ADD_FAILURE() << "the parameters were not refused";
  } catch (const usage_error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("layers 1 x (width 1099511627776 x width + width)"));
  }
  try {
    static_cast<void>(dense_shape{1, 1, 1, 1, dtype::float32, large << 22}.parameters());
    ADD_FAILURE() << "the adapters' parameters were not refused";
  } catch (const usage_error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("width + 2 x width x adapters 4611686018427387904)"));
  }
  EXPECT_THROW(
      static_cast<void>(plan_dense_forward({1, 1, 1 << 30, 1 << 10, dtype::float32}, bytes{1})),
      usage_error);
  EXPECT_THROW(
      static_cast<void>(plan_dense_forward({large, 1 << 20, 1, 1, dtype::float32}, bytes{1})),
      usage_error);
  EXPECT_THROW(static_cast<void>(plan_dense_forward(
                   {1, 1, 1, 1, dtype::float32}, bytes{std::numeric_limits<std::int64_t>::max()})),
               usage_error);
}

}  // namespace
}  // namespace headroom::kernels
