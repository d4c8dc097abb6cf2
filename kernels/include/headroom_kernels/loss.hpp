// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/device.hpp>
#include <headroom_kernels/ops/loss.hpp>
#include <headroom_kernels/tensor.hpp>
#include <optional>
#include <string_view>

namespace headroom::kernels {

enum class loss_kind : unsigned char {
  cross_entropy,      ///< softmax cross-entropy over the last axis, mean over rows
  mean_squared_error  ///< mean over elements
};
/// "cross_entropy", "mean_squared_error"
[[nodiscard]] std::string_view name_of(loss_kind kind);
/// @throws usage_error with the losses there are
[[nodiscard]] loss_kind loss_from_name(std::string_view name);

/// What an output should be. Only the member that the loss asks for is looked at.
struct loss_target {
  class_view classes;  ///< cross_entropy: one for each row
  tensor_view values;  ///< mean_squared_error: as the output
};

/// Terms that the loss is the mean of: rows of y for cross_entropy, its elements for
/// mean_squared_error.
[[nodiscard]] std::int64_t loss_terms(loss_kind kind, const shape& y);

/// Computes the loss of y, the sum of its terms / `terms`, replaces y by its gradient and waits for
/// the value. Two small tensors, tag `temporary`, are alive meanwhile.
/// @param y      [..., width]
/// @param terms  loss_terms of y, or of all microbatches where gradients are accumulated
/// @return       the loss; nothing where the device does not compute
/// @throws usage_error when the target does not fit y; out_of_memory
std::optional<float> loss_with_gradient(device& on, stream_id stream, loss_kind kind,
                                        const tensor_view& y, const loss_target& target,
                                        std::int64_t terms);

}  // namespace headroom::kernels
