// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/checkpointing.hpp>
#include <headroom_kernels/dense_shape.hpp>
#include <headroom_kernels/loss.hpp>
#include <headroom_kernels/optimizer.hpp>

namespace headroom::kernels {

/// One training step of a dense network, as a planner needs it.
struct dense_training_shape {
  dense_shape microbatch;
  std::int64_t microbatches = 1;
  loss_kind loss = loss_kind::cross_entropy;
  optimizer_kind optimizer = optimizer_kind::adamw;
  checkpoint_policy checkpointing;
  bytes workspace;  ///< of the matrix library
};

/// What training holds, from its sizes alone; each tensor rounded up as the allocator does.
struct dense_training_sizes {
  bytes weights;
  bytes inputs;      ///< inputs and targets of all microbatches
  bytes gradients;   ///< of all trained parameters
  bytes optimizer;   ///< their state, master weights included; there from the first update
  bytes workspace;   ///< there from the first product
  bytes activation;  ///< one tensor [batch, context, width] of a microbatch
  bytes projection;  ///< one tensor [batch, context, rank]; none without adapters
  bytes kept;        ///< activations between forward and backward, the output not counted
  bytes kept_most;   ///< the most that is kept at a time, segments that run again included
  /// The most at a time: what is kept, output, their gradients and what is in between.
  bytes activations;
  bytes staging;  ///< through which weights are exported: the largest trained one, in float32

  /// Alive between two steps, from the first update on.
  [[nodiscard]] bytes between_steps() const { return weights + inputs + optimizer + workspace; }
};
/// @throws usage_error when a size, or the sum of all, does not fit 64 bits
[[nodiscard]] dense_training_sizes size_dense_training(const dense_training_shape& of);

/// By how much less activations take at most than without checkpointing. Zero for a policy that
/// saves nothing, as each does in a network of one layer.
/// @throws usage_error as size_dense_training
[[nodiscard]] bytes saved_by_checkpointing(const dense_training_shape& of);

}  // namespace headroom::kernels
