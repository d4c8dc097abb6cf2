// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom_kernels/launch.hpp>
#include <headroom_kernels/ops/quantize.hpp>
#include <string>

#include "../dispatch.hpp"

namespace headroom::kernels {
namespace {

/// One row of a launch is one group.
template <class T>
struct quantize_kernel {
  const T* from;
  std::int64_t leading;
  std::int64_t groups;
  std::int8_t* numbers;
  float* scales;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    const T* own = from + row / groups * leading + row % groups * width;
    float most = 0.0F;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const float size = std::fabs(widen(own[i]));
      most = size > most ? size : most;
    }
    const float scale = together.max(most) / 127.0F;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const float steps = scale > 0.0F ? std::rint(widen(own[i]) / scale) : 0.0F;
      numbers[row * width + i] = static_cast<std::int8_t>(steps);
    }
    if (together.rank() == 0) scales[row] = scale;
  }
};

template <class T>
struct dequantize_kernel {
  const std::int8_t* numbers;
  const float* scales;
  T* to;
  std::int64_t leading;
  std::int64_t groups;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    T* own = to + row / groups * leading + row % groups * width;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      own[i] = narrow<T>(static_cast<float>(numbers[row * width + i]) * scales[row]);
    }
  }
};

void check_groups(const matrix_view& rows, std::int64_t group) {
  if (group > 0 && rows.columns % group == 0 && !rows.transposed) return;
  throw usage_error("int8 rows of " + std::to_string(rows.columns) + " numbers in groups of " +
                    std::to_string(group) +
                    "; give whole groups, and rows that are not transposed");
}

}  // namespace

void quantize_rows(device& on, stream_id stream, const matrix_view& from, const int8_rows& to) {
  check_groups(from, to.group);
  const std::int64_t groups = from.columns / to.group;
  with_element(from.type, [&]<class T>(T*) {
    launch_rows(on, stream, from.rows * groups, to.group,
                quantize_kernel<T>{static_cast<const T*>(from.address), from.leading, groups,
                                   to.numbers, to.scales});
  });
}

void dequantize_rows(device& on, stream_id stream, const int8_rows& from, const matrix_view& to) {
  check_groups(to, from.group);
  const std::int64_t groups = to.columns / from.group;
  with_element(to.type, [&]<class T>(T*) {
    launch_rows(on, stream, to.rows * groups, from.group,
                dequantize_kernel<T>{from.numbers, from.scales, static_cast<T*>(to.address),
                                     to.leading, groups});
  });
}

}  // namespace headroom::kernels
