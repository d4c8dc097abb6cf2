// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// What becomes of numbers that a result held before.
enum class accumulate : bool { no, yes };

/// Queues the sum of x's rows, kept in float32: the gradient of a bias.
/// @param x     [..., width]
/// @param sums  [width], float32; with accumulate::yes the sums are added to it
/// @throws usage_error when the shapes do not fit, or sums is not float32
void column_sums(device& on, stream_id stream, const tensor_view& x, const tensor_view& sums,
                 accumulate add);

}  // namespace headroom::kernels
