// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/launch.hpp>
#include <headroom_kernels/ops/copy_rows.hpp>

#include "../dispatch.hpp"

namespace headroom::kernels {
namespace {

template <class T>
struct copy_rows_kernel {
  const T* from;
  T* to;
  std::int64_t from_leading;
  std::int64_t to_leading;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      to[row * to_leading + i] = from[row * from_leading + i];
    }
  }
};

}  // namespace

void copy_rows(device& on, stream_id stream, const matrix_view& from, const matrix_view& to) {
  if (from.rows != to.rows || from.columns != to.columns || from.type != to.type ||
      from.transposed || to.transposed) {
    throw usage_error(fmt::format(
        "copy_rows: {} [{}, {}]{} to {} [{}, {}]{}; give both one size and type, not transposed",
        name_of(from.type), from.rows, from.columns, from.transposed ? " transposed" : "",
        name_of(to.type), to.rows, to.columns, to.transposed ? " transposed" : ""));
  }
  with_element(from.type, [&]<class T>(T*) {
    launch_rows(on, stream, from.rows, from.columns,
                copy_rows_kernel<T>{static_cast<const T*>(from.address),
                                    static_cast<T*>(to.address), from.leading, to.leading});
  });
}

}  // namespace headroom::kernels
