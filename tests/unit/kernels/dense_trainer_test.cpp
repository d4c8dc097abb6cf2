// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom_kernels/dense_batch.hpp>
#include <headroom_kernels/dense_trainer.hpp>

#include "dense_reference.hpp"
#include "values.hpp"

namespace headroom::kernels {
namespace {

using test::read;

/// A network, its trainer and a batch.
struct training {
  device& on;
  matrix_library products;
  dense_network network;
  dense_batch batch;
  dense_trainer trainer;

  training(device& device, const dense_shape& dims, const training_settings& settings,
           std::int64_t microbatches = 1)
      : on(device),
        products(on, {}),
        network(on, {}, dims, 42),
        batch(on, {}, dims, microbatches, settings.loss, 99),
        trainer(on, {}, network, products, settings) {}

  /// Forward, loss and backward of all microbatches.
  float gradients() {
    float loss = 0;
    for (std::int64_t i = 0; i < batch.microbatches(); ++i) {
      trainer.forward(batch.input(i));
      loss += trainer.loss(batch.target(i), batch.terms()).value();
      trainer.backward(batch.input(i));
    }
    return loss;
  }
  float step() {
    const float loss = gradients();
    trainer.update();
    return loss;
  }
  /// All gradients, or all parameters, one behind the other.
  std::vector<float> all(bool of_gradients) {
    std::vector<float> values;
    for (std::size_t i = 0; i < network.layers().size(); ++i) {
      const auto& layer = network.layers()[i];
      const auto& gradient = trainer.gradients()[i];
      for (const tensor* each : {of_gradients ? &gradient.weight : &layer.weight,
                                 of_gradients ? &gradient.bias : &layer.bias}) {
        const std::vector<float> own = read(on, *each);
        values.insert(values.end(), own.begin(), own.end());
      }
    }
    return values;
  }
};

training_settings settings_of(loss_kind loss, std::string_view policy, std::int64_t layers,
                              optimizer_kind optimizer = optimizer_kind::adamw) {
  training_settings settings;
  settings.loss = loss;
  settings.optimizer.kind = optimizer;
  settings.checkpointing = checkpoint_policy_from_name(policy, layers);
  return settings;
}

constexpr const char* policies[] = {"none",    "selective", "every_layer", "every_2",
                                    "every_3", "every_5",   "sqrt"};

using gradient_case = std::tuple<loss_kind, const char*, dtype>;
class DenseGradients : public testing::TestWithParam<gradient_case> {};
INSTANTIATE_TEST_SUITE_P(
    DenseTrainer, DenseGradients,
    testing::Combine(testing::Values(loss_kind::cross_entropy, loss_kind::mean_squared_error),
                     testing::ValuesIn(policies), testing::Values(dtype::float32, dtype::bfloat16)),
    [](const auto& each) {
      return fmt::format("{}_{}_{}", name_of(std::get<0>(each.param)), std::get<1>(each.param),
                         name_of(std::get<2>(each.param)));
    });

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

TEST_P(DenseGradients, MeetCentralDifferencesInDoublePrecision) {
  const auto& [loss, policy, type] = GetParam();
  cpu_device cpu;
  const dense_shape dims{2, 4, 7, 5, type};
  training own(cpu, dims, settings_of(loss, policy, dims.layers));
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
      ASSERT_GT(largest(expected), 1e-4) << "too small to compare";
      for (std::size_t at = 0; at < values.size(); ++at) {
        ASSERT_NEAR(values[at], expected[at], relative * largest(expected))
            << "layer " << i << ", element " << at;
      }
    };
    compare(own.trainer.gradients()[i].weight, reference.layers[i].weight);
    compare(own.trainer.gradients()[i].bias, reference.layers[i].bias);
  }
}

class DensePolicies : public testing::TestWithParam<dtype> {};
INSTANTIATE_TEST_SUITE_P(DenseTrainer, DensePolicies,
                         testing::Values(dtype::float32, dtype::bfloat16),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(DensePolicies, GiveTheSameBitsOfLossGradientsAndWeightsAfterTenSteps) {
  const dense_shape dims{2, 9, 33, 7, GetParam()};
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
