// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom_kernels/dense_network.hpp>
#include <headroom_kernels/ops/bias_gelu.hpp>
#include <headroom_kernels/ops/fill.hpp>

namespace headroom::kernels {
namespace {

constexpr bytes allocator_block{512};

shape weight_shape(const dense_shape& dims) {
  return {{"width_in", dims.width}, {"width", dims.width}};
}
shape bias_shape(const dense_shape& dims) { return {{"width", dims.width}}; }

/// @throws usage_error when the result, or its rounding, does not fit 64 bits
bytes block_bytes(const shape& dims, dtype type) {
  const bytes size = storage_of(dims, type);
  std::int64_t padded = 0;
  if (checked_add(size.n, allocator_block.n, padded)) return round_up(size, allocator_block);
  throw usage_error(fmt::format("the bytes of {} in {} do not fit 64 bits; make an axis smaller",
                                dims.text(), name_of(type)));
}

}  // namespace

std::int64_t dense_shape::parameters() const {
  std::int64_t each = 0;
  std::int64_t all = 0;
  if (checked_multiply(width, width, each) && checked_add(each, width, each) &&
      checked_multiply(layers, each, all)) {
    return all;
  }
  throw usage_error(fmt::format(
      "the parameters, layers {} x (width {} x width + width), do not fit 64 bits; make layers or "
      "width smaller",
      layers, width));
}

shape dense_shape::activation() const {
  return {{"batch", batch}, {"context", context}, {"width", width}};
}

dense_forward_plan plan_dense_forward(const dense_shape& dims, bytes workspace) {
  const bytes activation = block_bytes(dims.activation(), dims.type);
  dense_forward_plan plan;
  const bytes layer =
      block_bytes(weight_shape(dims), dims.type) + block_bytes(bias_shape(dims), dims.type);
  bytes all;
  if (!checked_multiply(layer.n, dims.layers, plan.weights.n) ||
      !checked_multiply(activation.n, 3, all.n) || !checked_add(all.n, plan.weights.n, all.n) ||
      !checked_add(all.n, workspace.n, all.n)) {
    throw usage_error(
        fmt::format("the bytes of {} layers of width {} and three tensors of {} do not fit 64 "
                    "bits; make one of "
                    "them smaller",
                    dims.layers, dims.width, dims.activation().text()));
  }
  plan.input = activation;
  plan.output = activation;
  plan.activations = dims.layers > 1 ? 2 * activation : activation;
  plan.workspace = round_up(workspace, allocator_block);
  return plan;
}

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
    next.weight = tensor(on, stream, weight_shape(dims), dims.type, tag::weights);
    next.bias = tensor(on, stream, bias_shape(dims), dims.type, tag::weights);
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
