// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/rms_norm.hpp>

#include <cmath>
#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

template <class T>
struct rms_norm_kernel {
  const T* x;       // [rows, width]
  const T* weight;  // [width]
  float epsilon;
  T* y;  // [rows, width]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    const T* own = x + row * width;
    float sum = 0.0F;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const float value = widen(own[i]);
      sum += value * value;
    }
    sum = together.sum(sum);
    const float scale = 1.0F / std::sqrt(sum / static_cast<float>(width) + epsilon);
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      y[row * width + i] = narrow<T>(widen(own[i]) * scale * widen(weight[i]));
    }
  }
};

/// With g = weight dy: dx = scale g - x scale^3 mean(g x).
template <class T>
struct rms_norm_input_kernel {
  const T* x;       // [rows, width], as dy and dx
  const T* weight;  // [width]
  float epsilon;
  const T* dy;
  T* dx;
  float* scales;  // [rows]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    const std::int64_t first = row * width;
    float squares = 0.0F;
    float along = 0.0F;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const float value = widen(x[first + i]);
      squares += value * value;
      along += value * widen(weight[i]) * widen(dy[first + i]);
    }
    squares = together.sum(squares);
    along = together.sum(along);
    const auto count = static_cast<float>(width);
    const float scale = 1.0F / std::sqrt(squares / count + epsilon);
    const float back = along / count * scale * scale * scale;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const float own =
          scale * widen(weight[i]) * widen(dy[first + i]) - back * widen(x[first + i]);
      dx[first + i] = narrow<T>(widen(dx[first + i]) + own);
    }
    if (together.rank() == 0) scales[row] = scale;
  }
};

// A team sums this many neighbouring columns: a cache line of float32 of each row.
constexpr std::int64_t columns_of_team = 16;

template <class T>
struct rms_norm_weight_kernel {
  const T* x;
  const T* dy;
  const float* scales;
  float* dweight;  // [width]
  std::int64_t width;
  bool add;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t tile, std::int64_t rows) const {
    const std::int64_t first = tile * columns_of_team;
    float own[columns_of_team] = {};
    for (std::int64_t row = together.rank(); row < rows; row += together.size()) {
      for (std::int64_t c = 0; c < columns_of_team && first + c < width; ++c) {
        const std::int64_t at = row * width + first + c;
        own[c] += widen(x[at]) * scales[row] * widen(dy[at]);
      }
    }
    for (std::int64_t c = 0; c < columns_of_team; ++c) {
      const float sum = together.sum(own[c]);
      if (together.rank() != 0 || first + c >= width) continue;
      dweight[first + c] = add ? dweight[first + c] + sum : sum;
    }
  }
};

}  // namespace

void rms_norm_backward(device& on, stream_id stream, const tensor_view& x,
                       const tensor_view& weight, float epsilon, const tensor_view& dy,
                       const tensor_view& dx, const tensor_view& dweight, accumulate add,
                       const tensor_view& scales) {
  const bool rows = x.dims == dy.dims && x.dims == dx.dims && x.type == dy.type &&
                    x.type == dx.type && weight.type == x.type;
  const bool columns = weight.dims == dweight.dims && weight.dims.rank() == 1 &&
                       weight.dims.width() == x.dims.width() && dweight.type == dtype::float32;
  if (!rows || !columns || scales.type != dtype::float32 ||
      scales.dims.elements() != x.dims.rows()) {
    refuse("rms_norm_backward",
           {{"x", x},
            {"weight", weight},
            {"dy", dy},
            {"dx", dx},
            {"dweight", dweight},
            {"scales", scales}},
           "give dy and dx the type and shape of x, dweight that of weight in float32, and scales "
           "one float32 for each row");
  }
  const std::int64_t width = x.dims.width();
  with_element(x.type, [&]<class T>(T*) {
    launch_rows(on, stream, x.dims.rows(), width,
                rms_norm_input_kernel<T>{elements_of<T>(x), elements_of<T>(weight), epsilon,
                                         elements_of<T>(dy), elements_of<T>(dx),
                                         elements_of<float>(scales)});
    launch_rows(
        on, stream, (width + columns_of_team - 1) / columns_of_team, x.dims.rows(),
        rms_norm_weight_kernel<T>{elements_of<T>(x), elements_of<T>(dy), elements_of<float>(scales),
                                  elements_of<float>(dweight), width, add == accumulate::yes});
  });
}

void rms_norm(device& on, stream_id stream, const tensor_view& x, const tensor_view& weight,
              float epsilon, const tensor_view& y) {
  if (!(x.dims == y.dims) || x.type != y.type || weight.type != x.type || weight.dims.rank() != 1 ||
      weight.dims.width() != x.dims.width()) {
    refuse("rms_norm", {{"x", x}, {"weight", weight}, {"y", y}},
           "give all one type, y the shape of x and weight that of x's last axis");
  }
  with_element(x.type, [&]<class T>(T*) {
    launch_rows(
        on, stream, x.dims.rows(), x.dims.width(),
        rms_norm_kernel<T>{elements_of<T>(x), elements_of<T>(weight), epsilon, elements_of<T>(y)});
  });
}

}  // namespace headroom::kernels
