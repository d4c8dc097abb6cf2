// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/dense_shape.hpp>

namespace headroom::kernels {

/// What a forward pass holds, from its sizes alone; each tensor rounded up as the allocator does.
struct dense_forward_plan {
  bytes weights;
  bytes input;        ///< one tensor
  bytes activations;  ///< at the peak: input and output of one layer, less the network's own input
  bytes output;       ///< what stays after the pass
  bytes workspace;    ///< of the matrix library

  /// The most that is allocated at once.
  [[nodiscard]] bytes peak() const { return weights + input + activations + workspace; }
  /// What is allocated between two passes.
  [[nodiscard]] bytes between_passes() const { return weights + input + output + workspace; }
};
/// Holds where the allocator hands out blocks without a rest too small to split off (DESIGN 5).
/// @throws usage_error when a size does not fit 64 bits
[[nodiscard]] dense_forward_plan plan_dense_forward(const dense_shape& dims, bytes workspace);

}  // namespace headroom::kernels
