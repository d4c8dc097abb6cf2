// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/device/device.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Class numbers in device memory that somebody else owns.
struct class_view {
  std::int32_t* address = nullptr;
  std::int64_t count = 0;
};

/// Queues the loss of each row and the gradient of y, both times `scale`; losses of the rows add up
/// to the loss of the whole.
/// @param y        [..., width]; holds its gradient afterwards
/// @param rows     [rows of y], float32: scale (log sum exp(y) - y at the row's class); NaN for a
///                 class below 0 or not below width
/// @param classes  one for each row of y
/// @throws usage_error when shapes, counts or types do not fit
void softmax_cross_entropy(device& on, stream_id stream, const tensor_view& y,
                           const class_view& classes, float scale, const tensor_view& rows);

/// As softmax_cross_entropy, with scale (y - target)^2 summed over each row.
/// @param target  as y
void squared_error(device& on, stream_id stream, const tensor_view& y, const tensor_view& target,
                   float scale, const tensor_view& rows);

/// Queues the sum of all elements of x.
/// @param x    float32
/// @param sum  one element, float32
/// @throws usage_error when they are not
void sum_elements(device& on, stream_id stream, const tensor_view& x, const tensor_view& sum);

/// Queues the place of the largest number of each row, the first of equal ones.
/// @param x        [..., width]
/// @param classes  one for each row of x
/// @throws usage_error when the counts differ
void largest_of_rows(device& on, stream_id stream, const tensor_view& x, const class_view& classes);

}  // namespace headroom::kernels
