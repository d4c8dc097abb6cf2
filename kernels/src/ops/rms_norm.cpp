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

}  // namespace

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
