// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/check.hpp>
#include <headroom_kernels/dense_batch.hpp>
#include <headroom_kernels/dense_trainer.hpp>
#include <optional>
#include <span>

namespace headroom::kernels {

/// A training that ran, as compare_checkpointing looks at it.
struct verified_run {
  device& on;
  dense_trainer& trainer;  ///< between two steps; holds gradients afterwards
  matrix_library& products;
  const dense_batch& batch;
  std::span<const float> losses;  ///< of each step; empty where the device does not compute
  std::int64_t steps;
  std::uint64_t seed;  ///< of the network
};

/// Trains a second network from the same seed for as many steps, keeping other activations: policy
/// "none", or "every_layer" where that is the run's own. Losses of all steps, weights after them
/// and the gradients of one more step must have the same bits.
/// @return  nothing where the device does not compute; the same memory is taken and given back
/// @throws out_of_memory
[[nodiscard]] std::optional<check> compare_checkpointing(const verified_run& run);

}  // namespace headroom::kernels
