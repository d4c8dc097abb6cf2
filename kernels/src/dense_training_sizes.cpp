// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/dense_training_sizes.hpp>

#include "checked_sizes.hpp"

namespace headroom::kernels {
namespace {

/// Activations beside the kept ones when those are most: the output or its gradient, and in a
/// segment of several layers that runs again the input of the layer that runs.
std::int64_t beside_kept(const checkpoint_policy& policy) {
  return policy.keeps == checkpoint_policy::keeping::segments && policy.segment_layers > 1 ? 2 : 1;
}

}  // namespace

dense_training_sizes size_dense_training(const dense_training_shape& of) {
  const dense_shape& dims = of.microbatch;
  static_cast<void>(dims.parameters());
  const kept_tensors kept = plan_kept_tensors(of.checkpointing, dims.layers);
  checked_sizes to;
  dense_training_sizes sizes;
  const auto [first, second] = dims.trained();
  sizes.weights = to.times(to.layer_blocks(dims), dims.layers);
  sizes.gradients = to.times(
      to.plus(to.block(first, dtype::float32), to.block(second, dtype::float32)), dims.layers);
  sizes.optimizer = to.times(sizes.gradients, state_tensors(of.optimizer, dims.type));
  const bytes activation = storage_of(dims.activation(), dims.type);
  const std::int64_t rows = dims.activation().rows();
  const bytes x = to.block(to.times(activation, of.microbatches));
  const bytes classes = to.block(to.times(to.times(bytes{rows}, of.microbatches), 4));
  sizes.inputs = to.plus(x, of.loss == loss_kind::cross_entropy ? classes : x);
  sizes.workspace = to.block(of.workspace);
  sizes.activation = to.block(activation);
  if (dims.adapted()) sizes.projection = to.block(dims.projection(), dims.type);
  sizes.kept = to.plus(to.times(sizes.activation, kept.after_forward),
                       to.times(sizes.projection, kept.products_after_forward));
  sizes.kept_most = to.plus(to.times(sizes.activation, kept.at_most),
                            to.times(sizes.projection, kept.products_at_most));
  sizes.activations =
      to.plus(sizes.kept_most, to.times(sizes.activation, beside_kept(of.checkpointing)));
  sizes.staging = to.block(first, dtype::float32);

  bytes all = to.plus(to.times(sizes.activation, 2), sizes.projection);  // evaluate's
  for (const bytes each :
       {sizes.weights, sizes.inputs, sizes.inputs, sizes.gradients, sizes.optimizer,
        sizes.workspace, sizes.kept_most, sizes.staging, to.times(bytes{rows}, 8)}) {
    all = to.plus(all, each);
  }
  if (to.fits()) return sizes;
  throw usage_error(fmt::format(
      "the bytes of training {} layers of width {} with microbatches of {} do not fit 64 bits; "
      "make one of them smaller",
      dims.layers, dims.width, dims.activation().text()));
}

bytes saved_by_checkpointing(const dense_training_shape& of) {
  dense_training_shape plain = of;
  plain.checkpointing = checkpoint_policy{};
  return size_dense_training(plain).activations - size_dense_training(of).activations;
}

}  // namespace headroom::kernels
