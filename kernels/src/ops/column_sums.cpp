// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/column_sums.hpp>

#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

// A team sums this many neighbouring columns: a cache line of float32 of each row.
constexpr std::int64_t columns_of_team = 16;

template <class T>
struct column_sums_kernel {
  const T* x;   // [rows, width]
  float* sums;  // [width]
  std::int64_t width;
  bool add;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t tile, std::int64_t rows) const {
    const std::int64_t first = tile * columns_of_team;
    float own[columns_of_team] = {};
    for (std::int64_t row = together.rank(); row < rows; row += together.size()) {
      for (std::int64_t c = 0; c < columns_of_team; ++c) {
        if (first + c < width) own[c] += widen(x[row * width + first + c]);
      }
    }
    for (std::int64_t c = 0; c < columns_of_team; ++c) {
      const float sum = together.sum(own[c]);
      if (together.rank() != 0 || first + c >= width) continue;
      sums[first + c] = add ? sums[first + c] + sum : sum;
    }
  }
};

}  // namespace

void column_sums(device& on, stream_id stream, const tensor_view& x, const tensor_view& sums,
                 accumulate add) {
  if (sums.type != dtype::float32 || sums.dims.rank() != 1 || sums.dims.width() != x.dims.width()) {
    refuse("column_sums", {{"x", x}, {"sums", sums}},
           "give sums the shape of x's last axis, in float32");
  }
  const std::int64_t width = x.dims.width();
  with_element(x.type, [&]<class T>(T*) {
    launch_rows(on, stream, (width + columns_of_team - 1) / columns_of_team, x.dims.rows(),
                column_sums_kernel<T>{elements_of<T>(x), elements_of<float>(sums), width,
                                      add == accumulate::yes});
  });
}

}  // namespace headroom::kernels
