// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <headroom_kernels/dense_batch.hpp>
#include <headroom_kernels/dense_trainer.hpp>
#include <string_view>
#include <vector>

#include "values.hpp"

/// A small training without a series around it, for tests.
namespace headroom::kernels::test {

/// A network, its trainer and a batch.
struct training {
  device& on;
  matrix_library products;
  dense_network network;
  dense_batch batch;
  dense_trainer trainer;

  training(device& device, const dense_shape& dims, const training_settings& settings,
           std::int64_t microbatches = 1, float adapter_scale = 1.0F)
      : on(device),
        products(on, {}),
        network(on, {}, dims, 42, adapter_scale),
        batch(on, {}, dims, microbatches, settings.loss, 99),
        trainer(on, {}, network, products, settings) {}

  /// Gives adapters values as training would: `up` is zero at first, which hides half of the
  /// formulas.
  void fill_adapters() {
    std::uint32_t seed = 7;
    for (const auto& layer : network.layers()) {
      if (!network.dims().adapted()) return;
      std::vector<float> values = random_values(layer.up.dims().elements(), seed++);
      for (float& value : values) value *= 0.5F;
      write(on, layer.up, values);
    }
  }
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
  /// All gradients, or all trained parameters, one behind the other.
  std::vector<float> all(bool of_gradients) {
    std::vector<float> values;
    for (std::size_t i = 0; i < network.layers().size(); ++i) {
      const auto& from = of_gradients ? trainer.gradients()[i] : network.layers()[i];
      for (const tensor* each : network.trained(from)) {
        const std::vector<float> own = read(on, *each);
        values.insert(values.end(), own.begin(), own.end());
      }
    }
    return values;
  }
};

inline training_settings settings_of(loss_kind loss, std::string_view policy, std::int64_t layers,
                                     optimizer_kind optimizer = optimizer_kind::adamw) {
  training_settings settings;
  settings.loss = loss;
  settings.optimizer.kind = optimizer;
  settings.checkpointing = checkpoint_policy_from_name(policy, layers);
  return settings;
}

inline constexpr const char* policies[] = {"none",    "selective", "every_layer", "every_2",
                                           "every_3", "every_5",   "sqrt"};

inline double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace headroom::kernels::test
