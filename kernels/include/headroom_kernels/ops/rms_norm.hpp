// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/ops/column_sums.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Queues y = x / sqrt(mean of x^2 over the row + epsilon) weight, computed in float32.
/// @param x       [..., width]
/// @param weight  [width], of x's type
/// @param y       as x; may be x itself
/// @throws usage_error when shapes or types differ
void rms_norm(device& on, stream_id stream, const tensor_view& x, const tensor_view& weight,
              float epsilon, const tensor_view& y);

/// Queues dx += the gradient of x, and the gradient of the weight.
/// @param x, weight  as they were in rms_norm
/// @param dy         gradient of y, as x
/// @param dx         as x: what came along the residual is there already; may not be dy
/// @param dweight    [width] float32; with accumulate::yes the gradient is added to it
/// @param scales     [rows of x] float32: scratch
/// @throws usage_error when shapes or types do not fit
void rms_norm_backward(device& on, stream_id stream, const tensor_view& x,
                       const tensor_view& weight, float epsilon, const tensor_view& dy,
                       const tensor_view& dx, const tensor_view& dweight, accumulate add,
                       const tensor_view& scales);

}  // namespace headroom::kernels
