// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Low-rank adapters on frozen weights: what is trained, and that it is trained right.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>

#include "training.hpp"
#include "values.hpp"

namespace headroom::kernels {
namespace {

using test::policies;
using test::read;
using test::settings_of;
using test::training;

constexpr std::int64_t rank = 3;

dense_shape adapted(dense_shape dims) {
  dims.adapter_rank = rank;
  return dims;
}

class AdapterTypes : public testing::TestWithParam<dtype> {};
INSTANTIATE_TEST_SUITE_P(DenseAdapters, AdapterTypes,
                         testing::Values(dtype::float32, dtype::bfloat16),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(AdapterTypes, AreTrainedAloneAndFrozenWeightsStayWithoutGradient) {
  cpu_device cpu;
  const dense_shape dims = adapted({2, 8, 16, 3, GetParam()});
  training own(cpu, dims, settings_of(loss_kind::cross_entropy, "every_2", 3));
  const dense_network untouched(cpu, {}, dims, 42);
  for (int step = 0; step < 5; ++step) {
    own.gradients();
    for (const auto& gradient : own.trainer.gradients()) {
      EXPECT_EQ(gradient.weight.address(), nullptr);
      EXPECT_EQ(gradient.bias.address(), nullptr);
      EXPECT_NE(gradient.down.address(), nullptr);
      EXPECT_NE(gradient.up.address(), nullptr);
    }
    own.trainer.update();
  }
  for (std::size_t i = 0; i < untouched.layers().size(); ++i) {
    const auto& before = untouched.layers()[i];
    const auto& after = own.network.layers()[i];
    EXPECT_EQ(read(cpu, after.weight), read(cpu, before.weight));
    EXPECT_EQ(read(cpu, after.bias), read(cpu, before.bias));
    EXPECT_NE(read(cpu, after.down), read(cpu, before.down));
    EXPECT_NE(read(cpu, after.up), read(cpu, before.up));
  }
}

TEST_P(AdapterTypes, ChangeNothingBeforeTheyAreTrained) {
  cpu_device cpu;
  const dense_shape dims{2, 8, 16, 3, GetParam()};
  training plain(cpu, dims, settings_of(loss_kind::cross_entropy, "none", 3));
  training own(cpu, adapted(dims), settings_of(loss_kind::cross_entropy, "none", 3));
  const tensor expected = plain.network.forward(plain.products, plain.batch.input(0));
  EXPECT_EQ(read(cpu, own.network.forward(own.products, own.batch.input(0))), read(cpu, expected));
  own.step();
  own.step();  // the first one moves `up` alone, as `up` is zero when down's gradient is computed
  EXPECT_NE(read(cpu, own.network.forward(own.products, own.batch.input(0))), read(cpu, expected));
}

TEST_P(AdapterTypes, EvaluateAsTheyTrain) {
  cpu_device cpu;
  const dense_shape dims = adapted({2, 8, 16, 3, GetParam()});
  training own(cpu, dims, settings_of(loss_kind::cross_entropy, "sqrt", 3), 1, 2.0F);
  own.fill_adapters();
  own.trainer.forward(own.batch.input(0));
  EXPECT_EQ(read(cpu, own.network.forward(own.products, own.batch.input(0))),
            read(cpu, own.trainer.output()));
}

TEST_P(AdapterTypes, LossFallsOverFiftySteps) {
  for (const loss_kind loss : {loss_kind::cross_entropy, loss_kind::mean_squared_error}) {
    for (const auto optimizer : {optimizer_kind::sgd, optimizer_kind::adamw}) {
      SCOPED_TRACE(fmt::format("{} {}", name_of(loss), name_of(optimizer)));
      cpu_device cpu;
      training_settings settings = settings_of(loss, "sqrt", 2, optimizer);
      settings.optimizer.learning_rate = optimizer == optimizer_kind::sgd ? 0.1 : 0.01;
      training own(cpu, adapted({4, 16, 16, 2, GetParam()}), settings);
      const float first = own.step();
      float last = 0;
      for (int step = 1; step < 50; ++step) last = own.step();
      EXPECT_LT(last, 0.85F * first) << "from " << first;
    }
  }
}

TEST(DenseAdapters, MicrobatchesGiveTheGradientOfTheWholeBatch) {
  cpu_device cpu;
  const training_settings settings = settings_of(loss_kind::cross_entropy, "none", 3);
  training whole(cpu, adapted({6, 5, 12, 3, dtype::float32}), settings);
  training parts(cpu, adapted({2, 5, 12, 3, dtype::float32}), settings, 3);
  whole.fill_adapters();
  parts.fill_adapters();
  EXPECT_NEAR(whole.gradients(), parts.gradients(), 1e-6);
  const std::vector<float> expected = whole.all(true);
  const std::vector<float> found = parts.all(true);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-6);
}

TEST(DenseAdapters, KeepStateForThemselvesAlone) {
  for (const char* policy : policies) {
    SCOPED_TRACE(policy);
    cpu_device cpu;
    training own(cpu, adapted({1, 8, 128, 5, dtype::float32}),
                 settings_of(loss_kind::cross_entropy, policy, 5));
    const auto allocated = [&] { return *cpu.counters().read()[counter_id::allocated_current]; };
    const bytes before = allocated();
    own.step();
    const bytes state = 5 * 2 * 2 * bytes{128 * rank * 4};
    EXPECT_EQ(allocated() - before, state + matrix_library::default_workspace);
    own.step();
    EXPECT_EQ(allocated() - before, state + matrix_library::default_workspace);
  }
}

TEST(DenseAdapters, AreWhatIsExported) {
  for (const dtype type : {dtype::float32, dtype::bfloat16}) {
    cpu_device cpu;
    training own(cpu, adapted({1, 8, 6, 2, type}),
                 settings_of(loss_kind::cross_entropy, "none", 2));
    own.step();
    std::vector<float> exported;
    std::vector<std::size_t> counts;
    own.trainer.export_weights([&](std::span<const float> values) {
      counts.push_back(values.size());
      exported.insert(exported.end(), values.begin(), values.end());
    });
    EXPECT_THAT(counts, testing::ElementsAre(18, 18, 18, 18));
    const std::vector<float> stored = own.all(false);
    ASSERT_EQ(exported.size(), stored.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
      ASSERT_NEAR(stored[i], exported[i], std::abs(exported[i]) * test::rounding_of(type)) << i;
    }
    EXPECT_EQ(exported == stored, type == dtype::float32);
  }
}

}  // namespace
}  // namespace headroom::kernels
