// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/blas.hpp>

namespace headroom::kernels {

/// Queues to = from, row after row, rounded to its type; the rows of each may lie apart.
/// @throws usage_error when sizes differ, or one is transposed
void copy_rows(device& on, stream_id stream, const matrix_view& from, const matrix_view& to);

}  // namespace headroom::kernels
