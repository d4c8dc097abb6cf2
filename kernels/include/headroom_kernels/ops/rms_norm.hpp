// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Queues y = x / sqrt(mean of x^2 over the row + epsilon) weight, computed in float32.
/// @param x       [..., width]
/// @param weight  [width], of x's type
/// @param y       as x; may be x itself
/// @throws usage_error when shapes or types differ
void rms_norm(device& on, stream_id stream, const tensor_view& x, const tensor_view& weight,
              float epsilon, const tensor_view& y);

}  // namespace headroom::kernels
