// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/error.hpp>
#include <headroom_kernels/dense_trainer.hpp>
#include <headroom_kernels/ops/bias_gelu.hpp>
#include <headroom_kernels/ops/column_sums.hpp>
#include <headroom_kernels/ops/convert.hpp>
#include <utility>

namespace headroom::kernels {

using keeping = checkpoint_policy::keeping;

dense_trainer::dense_trainer(device& on, stream_id stream, const dense_network& network,
                             matrix_library& products, const training_settings& settings)
    : device_(on),
      stream_(stream),
      network_(network),
      products_(products),
      settings_(settings),
      optimizer_(on, stream, settings.optimizer, 2 * network.layers().size()),
      kept_(network.layers().size()),
      gradients_(network.layers().size()) {}

tensor dense_trainer::new_activation() {
  const dense_shape& dims = network_.dims();
  return {device_, stream_, dims.activation(), dims.type, tag::activations};
}

tensor dense_trainer::new_gradient(const tensor& of) {
  return {device_, stream_, of.dims(), dtype::float32, tag::gradients};
}

/// What backward and a second run find of a layer's input: the network's, or the kept one.
tensor_view dense_trainer::input_of(std::size_t layer, const tensor_view& x) const {
  return layer == 0 ? x : kept_[layer].input.view();
}

tensor dense_trainer::activate(std::size_t layer, const tensor_view& product) {
  tensor y = new_activation();
  bias_gelu_forward(device_, stream_, product, network_.layers()[layer].bias, y);
  return y;
}

void dense_trainer::forward(const tensor_view& x) {
  const checkpoint_policy& policy = settings_.checkpointing;
  tensor_view input = x;
  tensor before;  // holds `input` where nobody keeps it
  for (std::size_t layer = 0; layer < kept_.size(); ++layer) {
    dense_network::product made = network_.multiply(products_, layer, input);
    before = {};
    tensor y;
    if (policy.keeps_product()) {
      y = activate(layer, made.sum);
      kept_[layer].product = std::move(made);
    } else {
      bias_gelu_forward(device_, stream_, made.sum, network_.layers()[layer].bias, made.sum);
      y = std::move(made.sum);
    }
    const std::size_t next = layer + 1;
    const bool last = next == kept_.size();
    const bool kept = !last && policy.keeps_input(static_cast<std::int64_t>(next));
    tensor& holder = last ? output_ : kept ? kept_[next].input : before;
    holder = std::move(y);
    input = holder;
  }
}

std::optional<float> dense_trainer::loss(const loss_target& target, std::int64_t terms) {
  return loss_with_gradient(device_, stream_, settings_.loss, output_, target, terms);
}

void dense_trainer::backward(const tensor_view& x) {
  const bool in_segments = settings_.checkpointing.keeps == keeping::segments;
  const std::size_t segment =
      in_segments ? static_cast<std::size_t>(settings_.checkpointing.segment_layers) : kept_.size();
  tensor dy = std::move(output_);
  for (std::size_t behind = kept_.size(); behind > 0;) {
    const std::size_t first = (behind - 1) / segment * segment;
    if (in_segments) run_again(first, behind, x);
    for (; behind > first; --behind) dy = backward(behind - 1, x, std::move(dy));
  }
}

/// Forward once more over the layers from `first` to the one before `behind`, keeping products.
void dense_trainer::run_again(std::size_t first, std::size_t behind, const tensor_view& x) {
  tensor_view input = input_of(first, x);
  tensor before;
  for (std::size_t layer = first; layer < behind; ++layer) {
    kept_[layer].product = network_.multiply(products_, layer, input);
    before = {};
    if (layer + 1 == behind) break;  // its output is not needed
    before = activate(layer, kept_[layer].product.sum);
    input = before;
  }
}

tensor dense_trainer::backward(std::size_t layer, const tensor_view& x, tensor dy) {
  const dense_network::layer& own = network_.layers()[layer];
  const bool adapted = network_.dims().adapted();
  const tensor& dz = dy;  // in the same memory
  bias_gelu_backward(device_, stream_, kept_[layer].product.sum, own.bias, dy, dz);
  kept_[layer].product.sum = {};

  tensor dp;  // gradient of the projection
  if (adapted) {
    dp = backward_up(layer, dz);
  } else {
    add_bias_gradient(layer, dz);
  }
  if (layer > 0 && kept_[layer].input.address() == nullptr) {
    kept_[layer].input = activate(layer - 1, kept_[layer - 1].product.sum);
  }
  if (adapted) {
    add_gradient(gradients_[layer].down, own.down, 1.0F, input_of(layer, x), dp);
  } else {
    add_gradient(gradients_[layer].weight, own.weight, 1.0F, input_of(layer, x), dz);
  }
  kept_[layer].input = {};
  if (layer == 0) return {};

  tensor dx = new_activation();
  products_.multiply(matrix_of(dz), transpose(matrix_of(own.weight)), matrix_of(dx));
  if (adapted) {
    products_.multiply(1.0F, matrix_of(dp), transpose(matrix_of(own.down)), 1.0F, matrix_of(dx));
  }
  return dx;
}

/// The adapter's second product backwards: the gradient of `up`. @return that of the projection
tensor dense_trainer::backward_up(std::size_t layer, const tensor_view& dz) {
  const dense_shape& dims = network_.dims();
  const tensor& up = network_.layers()[layer].up;
  const float scale = network_.adapter_scale();
  add_gradient(gradients_[layer].up, up, scale, kept_[layer].product.projection, dz);
  kept_[layer].product.projection = {};
  tensor dp(device_, stream_, dims.projection(), dims.type, tag::activations);
  products_.multiply(scale, matrix_of(dz), transpose(matrix_of(up)), 0.0F, matrix_of(dp));
  return dp;
}

void dense_trainer::add_bias_gradient(std::size_t layer, const tensor_view& dz) {
  tensor& to = gradients_[layer].bias;
  const bool first = to.address() == nullptr;  // of the step's microbatches
  if (first) to = new_gradient(network_.layers()[layer].bias);
  column_sums(device_, stream_, dz, to, first ? accumulate::no : accumulate::yes);
}

/// Adds alpha a^T b to the gradient of a matrix.
void dense_trainer::add_gradient(tensor& to, const tensor& of, float alpha, const tensor_view& a,
                                 const tensor_view& b) {
  const bool first = to.address() == nullptr;  // of the step's microbatches
  if (first) to = new_gradient(of);
  products_.multiply(alpha, transpose(matrix_of(a)), matrix_of(b), first ? 0.0F : 1.0F,
                     matrix_of(to));
}

void dense_trainer::update() {
  optimizer_.begin_step();
  for (std::size_t layer = 0; layer < gradients_.size(); ++layer) {
    const auto parameters = network_.trained(network_.layers()[layer]);
    const auto gradients = network_.trained(gradients_[layer]);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      optimizer_.update(parameters.size() * layer + i, *parameters[i], *gradients[i]);
    }
    gradients_[layer] = {};
  }
}

void dense_trainer::export_weights(const sink& to) const {
  const shape largest = network_.dims().trained().front();
  const tensor staging(device_, stream_, largest, dtype::float32, tag::temporary);
  std::vector<float> values(device_.computes() ? static_cast<std::size_t>(largest.elements()) : 0);
  const auto write = [&](std::size_t which, const tensor& parameter) {
    const tensor_view from = optimizer_.most_exact(which, parameter);
    const tensor_view through{staging.address(), from.dims, dtype::float32};
    convert(device_, stream_, from, through);
    if (!device_.computes()) return;
    device_.copy_to_host(values.data(), through.address, storage_of(from.dims, dtype::float32),
                         stream_);
    device_.synchronize(stream_);
    to(std::span(values).first(static_cast<std::size_t>(from.dims.elements())));
  };
  for (std::size_t layer = 0; layer < gradients_.size(); ++layer) {
    const auto parameters = network_.trained(network_.layers()[layer]);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      write(parameters.size() * layer + i, *parameters[i]);
    }
  }
}

}  // namespace headroom::kernels
