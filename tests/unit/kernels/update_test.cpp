// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <headroom/device/cpu_device.hpp>
#include <headroom_kernels/ops/update.hpp>

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

using UpdateOp = test::OpFixture;
INSTANTIATE_TEST_SUITE_P(Ops, UpdateOp, testing::Values(dtype::float32, dtype::bfloat16),
                         [](const auto& each) { return std::string(name_of(each.param)); });

/// A parameter with its gradient and, where it is bfloat16, its master weight.
struct parameter {
  tensor weight, master, gradient;

  parameter(device& on, dtype type, const std::vector<float>& weights,
            const std::vector<float>& gradients) {
    const shape dims{{"count", static_cast<std::int64_t>(weights.size())}};
    weight = make(on, dims, type, weights);
    if (type != dtype::float32) master = make(on, dims, dtype::float32, weights);
    gradient = make(on, dims, dtype::float32, gradients);
  }
  [[nodiscard]] updated_parameter view() const { return {weight, master, gradient}; }
  [[nodiscard]] const tensor& most_exact() const {
    return master.address() != nullptr ? master : weight;
  }
};

TEST_P(UpdateOp, SgdUpdateMovesByTheVelocity) {
  const parameter own(cpu_, GetParam(), {1.0F, -2.0F}, {0.5F, -0.25F});
  const tensor velocity = make(cpu_, own.weight.dims(), dtype::float32, {1.0F, 0.0F});
  sgd_update(cpu_, {}, own.view(), velocity, {0.125F, 0.5F});
  EXPECT_THAT(read(cpu_, velocity), ElementsAre(1.0F, -0.25F));
  EXPECT_THAT(read(cpu_, own.most_exact()), ElementsAre(0.875F, -1.96875F));
  EXPECT_THAT(read(cpu_, own.weight), ElementsAre(0.875F, -1.96875F));
}

TEST_P(UpdateOp, AdamwUpdateMeetsADoubleLoop) {
  const std::vector<float> weights = random_values(64, 11);
  const std::vector<float> gradients = random_values(64, 12);
  const std::vector<float> means = random_values(64, 13);
  std::vector<float> squares = random_values(64, 14);
  for (float& value : squares) value = std::abs(value);
  const parameter own(cpu_, GetParam(), weights, gradients);
  const tensor mean = make(cpu_, own.weight.dims(), dtype::float32, means);
  const tensor square = make(cpu_, own.weight.dims(), dtype::float32, squares);
  adamw_update(cpu_, {}, own.view(), mean, square,
               {0.99F, 0.9F, 0.1F, 0.75F, 0.25F, 0.01F, 2.0F, 1e-3F});
  const std::vector<float> moved = read(cpu_, own.most_exact());
  const std::vector<float> stored = read(cpu_, own.weight);
  const std::vector<float> new_means = read(cpu_, mean);
  const std::vector<float> new_squares = read(cpu_, square);
  for (std::size_t i = 0; i < 64; ++i) {
    const double m = 0.9 * means[i] + 0.1 * gradients[i];
    const double v = 0.75 * squares[i] + 0.25 * gradients[i] * gradients[i];
    const double expected = 0.99 * weights[i] - 0.01 * m / (2.0 * std::sqrt(v) + 1e-3);
    ASSERT_NEAR(new_means[i], m, 2e-7);
    ASSERT_NEAR(new_squares[i], v, 2e-7);
    ASSERT_NEAR(moved[i], expected, 2e-7);
    ASSERT_NEAR(stored[i], moved[i], std::abs(moved[i]) * test::rounding_of(GetParam()));
  }
}

TEST(Update, KeepsInTheMasterWhatTheWeightCannotHold) {
  cpu_device cpu;
  const parameter own(cpu, dtype::bfloat16, {1.0F}, {1.0F});
  const tensor velocity = make(cpu, own.weight.dims(), dtype::float32, {0.0F});
  for (int i = 0; i < 8; ++i) sgd_update(cpu, {}, own.view(), velocity, {0x1p-11F, 0.0F});
  EXPECT_THAT(read(cpu, own.master), ElementsAre(1.0F - 0x1p-8F));
  EXPECT_THAT(read(cpu, own.weight), ElementsAre(1.0F - 0x1p-8F));
}

TEST(Update, RefusesWhatDoesNotFitTogether) {
  cpu_device cpu;
  const auto tensor_of = [&](std::int64_t rows, dtype type = dtype::float32) {
    return tensor(cpu, {}, {{"rows", rows}, {"width", 3}}, type, tag::other);
  };
  const tensor x = tensor_of(2);
  const tensor taller = tensor_of(3);
  EXPECT_THAT(refusal([&] {
                sgd_update(cpu, {}, {x, {}, taller}, x, {});
              }),
              HasSubstr("gradient float32 [rows 3, width 3]"));
  const tensor small = tensor_of(2, dtype::bfloat16);
  EXPECT_THAT(refusal([&] { sgd_update(cpu, {}, {small, {}, x}, x, {}); }), HasSubstr("master"));
  EXPECT_THAT(refusal([&] { adamw_update(cpu, {}, {x, x, x}, x, x, {}); }), HasSubstr("master"));
  EXPECT_THAT(refusal([&] {
                adamw_update(cpu, {}, {x, {}, x}, x, taller, {});
              }),
              HasSubstr("state float32 [rows 3, width 3]"));
}

}  // namespace
}  // namespace headroom::kernels
