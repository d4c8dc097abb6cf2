// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/ops/column_sums.hpp>
#include <headroom_kernels/ops/loss.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// Queues y = the table's rows of the tokens, NaN for a token below 0 or not below the vocabulary.
/// @param table   [vocabulary, width]
/// @param tokens  one for each row of y
/// @param y       [..., width], of the table's type
/// @throws usage_error when sizes or types do not fit
void embedding(device& on, stream_id stream, const tensor_view& table, const class_view& tokens,
               const tensor_view& y);

/// Queues the gradient of the table: for each token of the vocabulary the sum of the gradients of
/// its rows, in their order.
/// @param dy      gradient of y, [..., width]
/// @param tokens  as in embedding
/// @param dtable  [vocabulary, width] float32; with accumulate::yes the sums are added to it
/// @throws usage_error when sizes or types do not fit
void embedding_backward(device& on, stream_id stream, const tensor_view& dy,
                        const class_view& tokens, const tensor_view& dtable, accumulate add);

}  // namespace headroom::kernels
