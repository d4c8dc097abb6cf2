// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom_kernels/optimizer.hpp>

#include "values.hpp"

namespace headroom::kernels {
namespace {

using test::make;
using test::read;

bytes allocated(device& on) { return *on.counters().read()[counter_id::allocated_current]; }

TEST(Optimizer, AllocatesItsStateInTheFirstUpdateOfEachParameter) {
  for (const auto kind : {optimizer_kind::sgd, optimizer_kind::adamw}) {
    for (const dtype type : {dtype::float32, dtype::bfloat16}) {
      plan_device plan(bytes{1 << 30});
      const shape dims{{"count", 1024}};
      const tensor weight(plan, {}, dims, type, tag::weights);
      const tensor gradient(plan, {}, dims, dtype::float32, tag::gradients);
      optimizer own(plan, {}, {.kind = kind}, 2);
      const bytes before = allocated(plan);
      const bytes state = state_tensors(kind, type) * bytes{4096};
      for (int step = 0; step < 3; ++step) {
        own.begin_step();
        own.update(0, weight, gradient);
        EXPECT_EQ(allocated(plan) - before, state);
      }
      own.update(1, weight, gradient);
      EXPECT_EQ(allocated(plan) - before, 2 * state);
      const auto moment = plan.counters().read().at_allocated_peak;
      ASSERT_TRUE(moment && moment->by_tag);
      EXPECT_EQ((*moment->by_tag)[tag::optimizer], 2 * state);
    }
  }
  EXPECT_EQ(state_tensors(optimizer_kind::sgd, dtype::float32), 1);
  EXPECT_EQ(state_tensors(optimizer_kind::adamw, dtype::float32), 2);
  EXPECT_EQ(state_tensors(optimizer_kind::sgd, dtype::bfloat16), 2);
  EXPECT_EQ(state_tensors(optimizer_kind::adamw, dtype::bfloat16), 3);
}

TEST(Optimizer, AdamwMeetsADoubleLoopOverFiveSteps) {
  cpu_device cpu;
  const optimizer_settings settings{.kind = optimizer_kind::adamw,
                                    .learning_rate = 0.02,
                                    .beta1 = 0.8,
                                    .beta2 = 0.95,
                                    .epsilon = 1e-6,
                                    .weight_decay = 0.1};
  double w = 0.7;
  double m = 0;
  double v = 0;
  const tensor weight = make(cpu, {{"count", 1}}, dtype::float32, {0.7F});
  optimizer own(cpu, {}, settings, 1);
  for (int step = 1; step <= 5; ++step) {
    const double g = std::sin(step);
    own.begin_step();
    own.update(0, weight, make(cpu, weight.dims(), dtype::float32, {static_cast<float>(g)}));
    w -= settings.learning_rate * settings.weight_decay * w;
    m = 0.8 * m + 0.2 * g;
    v = 0.95 * v + 0.05 * g * g;
    w -=
        0.02 * (m / (1 - std::pow(0.8, step))) / (std::sqrt(v / (1 - std::pow(0.95, step))) + 1e-6);
    ASSERT_NEAR(read(cpu, weight)[0], w, 1e-6) << "after step " << step;
  }
  EXPECT_EQ(own.steps(), 5);
}

TEST(Optimizer, SgdGathersMomentum) {
  cpu_device cpu;
  const tensor weight = make(cpu, {{"count", 1}}, dtype::float32, {1.0F});
  const tensor gradient = make(cpu, weight.dims(), dtype::float32, {1.0F});
  optimizer own(cpu, {}, {.kind = optimizer_kind::sgd, .learning_rate = 0.25, .momentum = 0.5}, 1);
  std::vector<float> path;
  for (int step = 0; step < 3; ++step) {
    own.begin_step();
    own.update(0, weight, gradient);
    path.push_back(read(cpu, weight)[0]);
  }
  EXPECT_THAT(path, testing::ElementsAre(0.75F, 0.375F, -0.0625F));
}

TEST(Optimizer, StartsMasterWeightsAtTheWeights) {
  cpu_device cpu;
  const tensor weight = make(cpu, {{"count", 1}}, dtype::bfloat16, {1.0F});
  optimizer own(cpu, {}, {.kind = optimizer_kind::sgd, .learning_rate = 0x1p-12}, 1);
  EXPECT_EQ(own.most_exact(0, weight).address, weight.address());
  own.begin_step();
  own.update(0, weight, make(cpu, weight.dims(), dtype::float32, {1.0F}));
  EXPECT_EQ(read(cpu, weight)[0], 1.0F);
  EXPECT_EQ(read(cpu, own.most_exact(0, weight))[0], 1.0F - 0x1p-12F);
}

TEST(Optimizer, RefusesANameThatItDoesNotKnow) {
  EXPECT_EQ(optimizer_from_name("sgd"), optimizer_kind::sgd);
  EXPECT_EQ(optimizer_from_name("adamw"), optimizer_kind::adamw);
  try {
    static_cast<void>(optimizer_from_name("adam"));
    ADD_FAILURE() << "not refused";
  } catch (const usage_error& problem) {
    EXPECT_STREQ(problem.what(), "there is no optimizer \"adam\"; write \"sgd\" or \"adamw\"");
  }
}

}  // namespace
}  // namespace headroom::kernels
