// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/blas.hpp>

namespace headroom::kernels {

/// Rows in int8 with one scale for each group of neighbouring numbers of a row.
struct int8_rows {
  std::int8_t* numbers = nullptr;  ///< [rows, groups x group]
  float* scales = nullptr;         ///< [rows, groups]
  std::int64_t group = 0;          ///< numbers of a group
};

/// Queues the rounding of rows to int8: scale = largest magnitude of the group / 127, number =
/// x / scale to the nearest. Read back, a number is off by at most half a scale, which is 1 / 254
/// of the group's largest magnitude.
/// @param from  [rows, groups x group]
/// @throws usage_error when the columns are no whole groups
void quantize_rows(device& on, stream_id stream, const matrix_view& from, const int8_rows& to);
/// Queues to = number x scale.
void dequantize_rows(device& on, stream_id stream, const int8_rows& from, const matrix_view& to);

}  // namespace headroom::kernels
