// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/dense_training_sizes.hpp>

namespace headroom::kernels {

/// Allocated bytes over one phase, the worst of its runs in one step.
struct phase_plan {
  bytes peak;
  bytes end;
};
struct dense_step_plan {
  phase_plan forward;
  phase_plan loss;
  phase_plan backward;
  phase_plan update;

  [[nodiscard]] bytes peak() const;
};

/// Allocated bytes of all phases. Exact where the allocator hands out blocks without a rest too
/// small to split off (DESIGN 5); else a lower bound. Takes time in proportion to the layers.
struct dense_training_plan {
  dense_training_sizes sizes;
  dense_step_plan cold;  ///< workspace and optimizer state arrive
  dense_step_plan warm;
  phase_plan evaluate;
  phase_plan export_weights;
};
/// @throws usage_error as size_dense_training
[[nodiscard]] dense_training_plan plan_dense_training(const dense_training_shape& of);

}  // namespace headroom::kernels
