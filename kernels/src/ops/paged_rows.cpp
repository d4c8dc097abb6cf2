// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/launch.hpp>
#include <headroom_kernels/ops/paged_rows.hpp>

#include "../dispatch.hpp"

namespace headroom::kernels {
namespace {

template <class T>
struct paged_copy_kernel {
  T* pool;  // [blocks, block_rows, width]
  const std::int32_t* table;
  std::int64_t block_rows;
  std::int64_t at;
  T* rows;  // [rows, width], `leading` apart
  std::int64_t leading;
  bool scatter;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    const std::int64_t place = at + row;
    const std::int64_t block = table[place / block_rows];
    T* paged = pool + (block * block_rows + place % block_rows) * width;
    T* own = rows + row * leading;
    const T* from = scatter ? own : paged;
    T* to = scatter ? paged : own;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) to[i] = from[i];
  }
};

void copy(device& on, stream_id stream, const paged_rows& paged, std::int64_t at,
          const matrix_view& rows, bool scatter) {
  with_element(rows.type, [&]<class T>(T*) {
    launch_rows(on, stream, rows.rows, rows.columns,
                paged_copy_kernel<T>{static_cast<T*>(paged.pool), paged.table, paged.block_rows, at,
                                     static_cast<T*>(rows.address), rows.leading, scatter});
  });
}

}  // namespace

void scatter_rows(device& on, stream_id stream, const matrix_view& from, const paged_rows& to,
                  std::int64_t at) {
  copy(on, stream, to, at, from, true);
}

void gather_rows(device& on, stream_id stream, const paged_rows& from, std::int64_t at,
                 const matrix_view& to) {
  copy(on, stream, from, at, to, false);
}

}  // namespace headroom::kernels
