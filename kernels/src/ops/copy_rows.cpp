// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/error.hpp>
#include <headroom_kernels/launch.hpp>
#include <headroom_kernels/ops/copy_rows.hpp>
#include <string>

#include "../dispatch.hpp"

namespace headroom::kernels {
namespace {

template <class From, class To>
struct copy_rows_kernel {
  const From* from;
  To* to;
  std::int64_t from_leading;
  std::int64_t to_leading;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      to[row * to_leading + i] = narrow<To>(widen(from[row * from_leading + i]));
    }
  }
};

std::string text_of(const matrix_view& m) {
  return std::string(name_of(m.type)) + " [" + std::to_string(m.rows) + ", " +
         std::to_string(m.columns) + (m.transposed ? "] transposed" : "]");
}

}  // namespace

void copy_rows(device& on, stream_id stream, const matrix_view& from, const matrix_view& to) {
  if (from.rows != to.rows || from.columns != to.columns || from.transposed || to.transposed) {
    throw usage_error("copy_rows: " + text_of(from) + " to " + text_of(to) +
                      "; give both one size, not transposed");
  }
  with_element(from.type, [&]<class From>(From*) {
    with_element(to.type, [&]<class To>(To*) {
      launch_rows(
          on, stream, from.rows, from.columns,
          copy_rows_kernel<From, To>{static_cast<const From*>(from.address),
                                     static_cast<To*>(to.address), from.leading, to.leading});
    });
  });
}

}  // namespace headroom::kernels
