// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/blas.hpp>

namespace headroom::kernels {

/// Rows of one sequence in blocks of a pool, in device memory.
struct paged_rows {
  void* pool = nullptr;                 ///< [blocks, block_rows, width]
  const std::int32_t* table = nullptr;  ///< the block of row r is table[r / block_rows]
  std::int64_t block_rows = 0;
};

/// Queues the copy of rows to row `at` of the sequence and behind.
void scatter_rows(device& on, stream_id stream, const matrix_view& from, const paged_rows& to,
                  std::int64_t at);
/// Queues the copy of the sequence's rows from `at` on.
void gather_rows(device& on, stream_id stream, const paged_rows& from, std::int64_t at,
                 const matrix_view& to);

}  // namespace headroom::kernels
