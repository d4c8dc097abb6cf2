// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
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

}  // namespace headroom::kernels
