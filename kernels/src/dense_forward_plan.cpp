// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/dense_forward_plan.hpp>

#include "checked_sizes.hpp"

namespace headroom::kernels {

dense_forward_plan plan_dense_forward(const dense_shape& dims, bytes workspace) {
  checked_sizes to;
  dense_forward_plan plan;
  const bytes activation = to.block(dims.activation(), dims.type);
  plan.weights = to.times(to.layer_blocks(dims), dims.layers);
  plan.input = activation;
  plan.output = activation;
  plan.activations = to.times(activation, dims.layers > 1 ? 2 : 1);
  if (dims.adapted()) {
    plan.activations = to.plus(plan.activations, to.block(dims.projection(), dims.type));
  }
  plan.workspace = to.block(workspace);
  static_cast<void>(
      to.plus(to.plus(plan.weights, plan.input), to.plus(plan.activations, plan.workspace)));
  if (to.fits()) return plan;
  throw usage_error(fmt::format(
      "the bytes of {} layers of width {} and three tensors of {} do not fit 64 bits; make one of "
      "them smaller",
      dims.layers, dims.width, dims.activation().text()));
}

}  // namespace headroom::kernels
