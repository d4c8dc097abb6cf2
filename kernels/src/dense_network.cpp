// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cmath>
#include <headroom_kernels/dense_network.hpp>
#include <headroom_kernels/ops/bias_gelu.hpp>
#include <headroom_kernels/ops/fill.hpp>

namespace headroom::kernels {
dense_network::dense_network(device& on, stream_id stream, const dense_shape& dims,
                             std::uint64_t seed)
    : device_(on), stream_(stream), dims_(dims) {
  // Uniform in +-sqrt(6 / width): a sum of `width` products then is about as large as its terms'
  // GELU was small.
  const float weight_scale = std::sqrt(6.0F / static_cast<float>(dims.width));
  constexpr float bias_scale = 0.1F;
  layers_.reserve(static_cast<std::size_t>(dims.layers));
  for (std::int64_t i = 0; i < dims.layers; ++i) {
    layer& next = layers_.emplace_back();
    next.weight = tensor(on, stream, dims.weight(), dims.type, tag::weights);
    next.bias = tensor(on, stream, dims.bias(), dims.type, tag::weights);
    const auto number = 2 * static_cast<std::uint64_t>(i);
    fill_uniform(on, stream, next.weight, seed_of(seed, number), weight_scale);
    fill_uniform(on, stream, next.bias, seed_of(seed, number + 1), bias_scale);
  }
}

tensor dense_network::forward(matrix_library& products, const tensor_view& x) const {
  tensor before;  // input of the layer that runs; empty at the first, whose input is x
  for (const layer& each : layers_) {
    tensor y(device_, stream_, dims_.activation(), dims_.type, tag::activations);
    const tensor_view input = before.dims().rank() == 0 ? x : before.view();
    products.multiply(matrix_of(input), matrix_of(each.weight), matrix_of(y));
    bias_gelu_forward(device_, stream_, y, each.bias, y);
    before = std::move(y);
  }
  return before;
}

}  // namespace headroom::kernels
