// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Queues y = gelu(x + bias), GELU in its tanh form:
/// gelu(v) = v / 2 (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3))), computed in float32.
/// @param x     [..., width]
/// @param bias  [width], of x's type
/// @param y     as x; may be x itself
/// @throws usage_error when shapes or types differ
void bias_gelu_forward(device& on, stream_id stream, const tensor_view& x, const tensor_view& bias,
                       const tensor_view& y);

/// Queues dx = dy gelu'(x + bias), which is the gradient of x, and of bias before rows are summed.
/// @param x, bias  as they were in bias_gelu_forward
/// @param dy       gradient of y, as x
/// @param dx       as x; may be dy or x itself
/// @throws usage_error when shapes or types differ
void bias_gelu_backward(device& on, stream_id stream, const tensor_view& x, const tensor_view& bias,
                        const tensor_view& dy, const tensor_view& dx);

}  // namespace headroom::kernels
