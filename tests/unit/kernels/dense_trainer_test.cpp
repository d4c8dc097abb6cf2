// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>

#include "dense_reference.hpp"
#include "training.hpp"
#include "values.hpp"

namespace headroom::kernels {
namespace {

using test::policies;
using test::read;
using test::settings_of;
using test::training;

using gradient_case = std::tuple<loss_kind, const char*, dtype, std::int64_t>;
std::string name_of_gradient_case(const testing::TestParamInfo<gradient_case>& of) {
  const auto& [loss, policy, type, adapter_rank] = of.param;
  return fmt::format("{}_{}_{}_rank_{}", name_of(loss), policy, name_of(type), adapter_rank);
}
class DenseGradients : public testing::TestWithParam<gradient_case> {};
INSTANTIATE_TEST_SUITE_P(
    DenseTrainer, DenseGradients,
    testing::Combine(testing::Values(loss_kind::cross_entropy, loss_kind::mean_squared_error),
                     testing::ValuesIn(policies), testing::Values(dtype::float32, dtype::bfloat16),
                     testing::Values(0, 3)),
    name_of_gradient_case);

TEST_P(DenseGradients, MeetCentralDifferencesInDoublePrecision) {
  const auto& [loss, policy, type, adapter_rank] = GetParam();
  cpu_device cpu;
  const dense_shape dims{2, 4, 7, 5, type, adapter_rank};
  training own(cpu, dims, settings_of(loss, policy, dims.layers), 1, 0.75F);
  own.fill_adapters();
  test::dense_reference reference;
  reference.loss = loss;
  reference.take_weights(cpu, own.network);
  reference.take_batch(cpu, own.batch.input(0), own.batch.target(0));

  const double relative = type == dtype::float32 ? 1e-4 : 0.08;
  EXPECT_NEAR(own.gradients(), reference.mean_loss(), relative * reference.mean_loss());
  for (std::size_t i = 0; i < own.network.layers().size(); ++i) {
    const auto compare = [&](const tensor& found, std::vector<double>& parameters) {
      EXPECT_EQ(found.type(), dtype::float32);
      const std::vector<double> expected = reference.slopes(parameters);
      const std::vector<float> values = read(cpu, found);
      ASSERT_EQ(values.size(), expected.size());
      ASSERT_GT(test::largest(expected), 1e-4) << "too small to compare";
      for (std::size_t at = 0; at < values.size(); ++at) {
        ASSERT_NEAR(values[at], expected[at], relative * test::largest(expected))
            << "layer " << i << ", element " << at;
      }
    };
    const auto found = own.network.trained(own.trainer.gradients()[i]);
    const auto parameters = reference.trained(i);
    for (std::size_t j = 0; j < found.size(); ++j) compare(*found[j], *parameters[j]);
  }
}

using policies_case = std::tuple<dtype, std::int64_t>;
std::string name_of_policies_case(const testing::TestParamInfo<policies_case>& of) {
  const auto& [type, adapter_rank] = of.param;
  return fmt::format("{}_rank_{}", name_of(type), adapter_rank);
}
class DensePolicies : public testing::TestWithParam<policies_case> {};
INSTANTIATE_TEST_SUITE_P(DenseTrainer, DensePolicies,
                         testing::Combine(testing::Values(dtype::float32, dtype::bfloat16),
                                          testing::Values(0, 3)),
                         name_of_policies_case);

TEST_P(DensePolicies, GiveTheSameBitsOfLossGradientsAndWeightsAfterTenSteps) {
  const auto& [type, adapter_rank] = GetParam();
  const dense_shape dims{2, 9, 33, 7, type, adapter_rank};
  for (const loss_kind loss : {loss_kind::cross_entropy, loss_kind::mean_squared_error}) {
    std::vector<float> losses, gradients, weights;
    for (const char* policy : policies) {
      SCOPED_TRACE(policy);
      cpu_device cpu;
      training own(cpu, dims, settings_of(loss, policy, dims.layers), 2);
      std::vector<float> found;
      for (int step = 0; step < 9; ++step) found.push_back(own.step());
      found.push_back(own.gradients());
      const std::vector<float> found_gradients = own.all(true);
      own.trainer.update();
      if (std::string_view(policy) == "none") {
        losses = found;
        gradients = found_gradients;
        weights = own.all(false);
        EXPECT_LT(losses.back(), losses.front());
      }
      EXPECT_EQ(found, losses);
      EXPECT_EQ(found_gradients, gradients);
      EXPECT_EQ(own.all(false), weights);
    }
  }
}

TEST(DenseTrainer, LossFallsOverFiftyStepsOfALearnableTask) {
  for (const loss_kind loss : {loss_kind::cross_entropy, loss_kind::mean_squared_error}) {
    for (const auto optimizer : {optimizer_kind::sgd, optimizer_kind::adamw}) {
      for (const dtype type : {dtype::float32, dtype::bfloat16}) {
        SCOPED_TRACE(fmt::format("{} {} {}", name_of(loss), name_of(optimizer), name_of(type)));
        cpu_device cpu;
        training_settings settings = settings_of(loss, "sqrt", 2, optimizer);
        settings.optimizer.learning_rate = optimizer == optimizer_kind::sgd ? 0.1 : 0.01;
        training own(cpu, {4, 16, 16, 2, type}, settings);
        const float first = own.step();
        float last = 0;
        for (int step = 1; step < 50; ++step) last = own.step();
        EXPECT_LT(last, 0.75F * first) << "from " << first;
      }
    }
  }
}

TEST(DenseTrainer, MicrobatchesGiveTheGradientOfTheWholeBatch) {
  for (const loss_kind loss : {loss_kind::cross_entropy, loss_kind::mean_squared_error}) {
    cpu_device cpu;
    const training_settings settings = settings_of(loss, "none", 3);
    training whole(cpu, {6, 5, 12, 3, dtype::float32}, settings);
    training parts(cpu, {2, 5, 12, 3, dtype::float32}, settings, 3);
    EXPECT_NEAR(whole.gradients(), parts.gradients(), 1e-6);
    const std::vector<float> expected = whole.all(true);
    const std::vector<float> found = parts.all(true);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-6);
  }
}

TEST(DenseTrainer, GivesEverythingButStateAndWorkspaceBackAfterAStep) {
  for (const char* policy : policies) {
    SCOPED_TRACE(policy);
    cpu_device cpu;
    training own(cpu, {1, 8, 32, 5, dtype::float32},
                 settings_of(loss_kind::cross_entropy, policy, 5));
    const auto allocated = [&] { return *cpu.counters().read()[counter_id::allocated_current]; };
    const bytes before = allocated();
    own.step();
    const bytes state = 5 * 2 * (bytes{32 * 32 * 4} + bytes{512});
    EXPECT_EQ(allocated() - before, state + matrix_library::default_workspace);
    own.step();
    EXPECT_EQ(allocated() - before, state + matrix_library::default_workspace);
    for (const auto& gradient : own.trainer.gradients()) {
      EXPECT_EQ(gradient.weight.address(), nullptr);
    }
  }
}

TEST(DenseTrainer, ExportsEachParameterWhereItIsMostExact) {
  for (const dtype type : {dtype::float32, dtype::bfloat16}) {
    cpu_device cpu;
    training own(cpu, {1, 8, 6, 2, type}, settings_of(loss_kind::cross_entropy, "none", 2));
    own.step();
    std::vector<float> exported;
    std::vector<std::size_t> counts;
    own.trainer.export_weights([&](std::span<const float> values) {
      counts.push_back(values.size());
      exported.insert(exported.end(), values.begin(), values.end());
    });
    EXPECT_THAT(counts, testing::ElementsAre(36, 6, 36, 6));
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
