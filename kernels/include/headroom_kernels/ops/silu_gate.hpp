// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Queues y = silu(gate) up, silu(v) = v / (1 + exp(-v)), computed in float32.
/// @param gate_up  [..., 2 x width]: gate, then up
/// @param y        rows x width of gate_up's type; may be the left half of gate_up itself
/// @throws usage_error when sizes or types do not fit
void silu_gate(device& on, stream_id stream, const tensor_view& gate_up, const matrix_view& y);

/// Queues the gradients of gate and up, in their place.
/// @param gate_up  [..., 2 x width], as in silu_gate; holds the gradients afterwards
/// @param dy       [..., width], gradient of y
/// @throws usage_error when sizes or types do not fit
void silu_gate_backward(device& on, stream_id stream, const tensor_view& gate_up,
                        const tensor_view& dy);

/// The left half of each row, where silu_gate may put its result.
[[nodiscard]] matrix_view left_half(const tensor_view& gate_up);

}  // namespace headroom::kernels
