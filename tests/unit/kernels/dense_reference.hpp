// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <headroom_kernels/dense_network.hpp>
#include <headroom_kernels/loss.hpp>
#include <vector>

#include "values.hpp"

/// The dense network in double precision, with gradients by central differences: for tests, and
/// written from the formulas alone.
namespace headroom::kernels::test {

class dense_reference {
 public:
  struct layer {
    std::vector<double> weight;  // [width, width]
    std::vector<double> bias;    // [width]
    std::vector<double> down;    // [width, rank], empty without adapters
    std::vector<double> up;      // [rank, width]
  };
  std::vector<layer> layers;
  std::vector<double> x;  // [rows, width]
  std::vector<std::int32_t> classes;
  std::vector<double> values;
  std::size_t width = 0;
  std::size_t rank = 0;
  double scale = 1;  // of adapters
  loss_kind loss = loss_kind::cross_entropy;

  /// Weights as they are stored.
  void take_weights(device& on, const dense_network& network) {
    width = static_cast<std::size_t>(network.dims().width);
    rank = static_cast<std::size_t>(network.dims().adapter_rank);
    scale = network.adapter_scale();
    layers.clear();
    for (const auto& each : network.layers()) {
      layer& own = layers.emplace_back();
      own.weight = doubles(read(on, each.weight));
      own.bias = doubles(read(on, each.bias));
      if (rank == 0) continue;
      own.down = doubles(read(on, each.down));
      own.up = doubles(read(on, each.up));
    }
  }
  /// One microbatch, as it is stored.
  void take_batch(device& on, const tensor_view& input, const loss_target& target) {
    x = doubles(read(on, input));
    if (loss == loss_kind::mean_squared_error) {
      values = doubles(read(on, target.values));
    } else {
      classes.resize(static_cast<std::size_t>(target.classes.count));
      on.copy_to_host(classes.data(), target.classes.address, bytes{4} * target.classes.count, {});
      on.synchronize();
    }
  }

  /// What training changes in a layer, as dense_network::trained.
  [[nodiscard]] std::array<std::vector<double>*, 2> trained(std::size_t which) {
    layer& own = layers[which];
    if (rank > 0) return {&own.down, &own.up};
    return {&own.weight, &own.bias};
  }

  [[nodiscard]] std::vector<double> forward() const {
    std::vector<double> from = x;
    std::vector<double> to(x.size());
    for (const layer& each : layers) {
      for (std::size_t at = 0; at < to.size(); ++at) {
        const std::size_t row = at / width;
        const std::size_t column = at % width;
        double v = each.bias[column];
        for (std::size_t i = 0; i < width; ++i) {
          v += from[row * width + i] * effective(each, i, column);
        }
        to[at] =
            0.5 * v * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (v + 0.044715 * v * v * v)));
      }
      from = to;
    }
    return from;
  }

  [[nodiscard]] double mean_loss() const {
    const std::vector<double> y = forward();
    double sum = 0;
    if (loss == loss_kind::mean_squared_error) {
      for (std::size_t i = 0; i < y.size(); ++i) sum += (y[i] - values[i]) * (y[i] - values[i]);
      return sum / static_cast<double>(y.size());
    }
    for (std::size_t row = 0; row < classes.size(); ++row) {
      double exponentials = 0;
      for (std::size_t i = 0; i < width; ++i) exponentials += std::exp(y[row * width + i]);
      sum += std::log(exponentials) - y[row * width + static_cast<std::size_t>(classes[row])];
    }
    return sum / static_cast<double>(classes.size());
  }

  /// Of each number of `parameters`, which belong to this reference.
  [[nodiscard]] std::vector<double> slopes(std::vector<double>& parameters) {
    std::vector<double> found;
    for (double& each : parameters) {
      const double at = each;
      constexpr double h = 1e-5;
      each = at + h;
      const double above = mean_loss();
      each = at - h;
      found.push_back((above - mean_loss()) / (2 * h));
      each = at;
    }
    return found;
  }

 private:
  /// An element of weight + scale down up.
  [[nodiscard]] double effective(const layer& of, std::size_t row, std::size_t column) const {
    double sum = 0;
    for (std::size_t r = 0; r < rank; ++r) {
      sum += of.down[row * rank + r] * of.up[r * width + column];
    }
    return of.weight[row * width + column] + scale * sum;
  }
  static std::vector<double> doubles(const std::vector<float>& from) {
    return {from.begin(), from.end()};
  }
};

}  // namespace headroom::kernels::test
