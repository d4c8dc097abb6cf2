// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Queues y = x in y's type, rounded to the nearest, ties to even.
/// @param x, y  of one shape, each of any type
/// @throws usage_error when the shapes differ
void convert(device& on, stream_id stream, const tensor_view& x, const tensor_view& y);

}  // namespace headroom::kernels
