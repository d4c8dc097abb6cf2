// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cmath>
#include <headroom_kernels/dense_network.hpp>
#include <headroom_kernels/ops/bias_gelu.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <utility>

namespace headroom::kernels {
namespace {

// Of seed_of: a number that no weight or bias has.
constexpr std::uint64_t adapters_number = ~std::uint64_t{0};

}  // namespace

dense_network::dense_network(device& on, stream_id stream, const dense_shape& dims,
                             std::uint64_t seed, float adapter_scale)
    : device_(on), stream_(stream), dims_(dims), adapter_scale_(adapter_scale) {
  // Uniform in +-sqrt(6 / width): a sum of `width` products then is about as large as its terms'
  // GELU was small.
  const float weight_scale = std::sqrt(6.0F / static_cast<float>(dims.width));
  constexpr float bias_scale = 0.1F;
  const auto make = [&](const shape& of) {
    return tensor(on, stream, of, dims.type, tag::weights);
  };
  layers_.reserve(static_cast<std::size_t>(dims.layers));
  for (std::int64_t i = 0; i < dims.layers; ++i) {
    layer& next = layers_.emplace_back();
    next.weight = make(dims.weight());
    next.bias = make(dims.bias());
    const auto number = 2 * static_cast<std::uint64_t>(i);
    fill_uniform(on, stream, next.weight, seed_of(seed, number), weight_scale);
    fill_uniform(on, stream, next.bias, seed_of(seed, number + 1), bias_scale);
    if (!dims.adapted()) continue;
    next.down = make(dims.down());
    next.up = make(dims.up());
    fill_uniform(on, stream, next.down, seed_of(seed_of(seed, adapters_number), number),
                 weight_scale);
    on.fill_zero(next.up.address(), next.up.size(), stream);
  }
}

dense_network::product dense_network::multiply(matrix_library& products, std::size_t which,
                                               const tensor_view& x) const {
  const layer& own = layers_[which];
  product made;
  made.sum = tensor(device_, stream_, dims_.activation(), dims_.type, tag::activations);
  products.multiply(matrix_of(x), matrix_of(own.weight), matrix_of(made.sum));
  if (dims_.adapted()) {
    made.projection = tensor(device_, stream_, dims_.projection(), dims_.type, tag::activations);
    products.multiply(matrix_of(x), matrix_of(own.down), matrix_of(made.projection));
    products.multiply(adapter_scale_, matrix_of(made.projection), matrix_of(own.up), 1.0F,
                      matrix_of(made.sum));
  }
  return made;
}

tensor dense_network::forward(matrix_library& products, const tensor_view& x) const {
  tensor before;  // input of the layer that runs; empty at the first, whose input is x
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    product made = multiply(products, i, i == 0 ? x : before.view());
    bias_gelu_forward(device_, stream_, made.sum, layers_[i].bias, made.sum);
    before = std::move(made.sum);
  }
  return before;
}

std::array<const tensor*, 2> dense_network::trained(const layer& of) const {
  if (dims_.adapted()) return {&of.down, &of.up};
  return {&of.weight, &of.bias};
}

}  // namespace headroom::kernels
