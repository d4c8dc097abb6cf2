// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/bias_gelu.hpp>

#include <cmath>
#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

// v / 2 (1 + tanh(u)) = v / (1 + exp(-2 u)): one exponential in place of a hyperbolic tangent.
HEADROOM_HOST_DEVICE inline float gelu(float v) {
  constexpr float twice_sqrt_2_over_pi = 1.5957691216057308F;
  return v / (1.0F + std::exp(-twice_sqrt_2_over_pi * (v + 0.044715F * v * v * v)));
}

template <class T>
struct bias_gelu_forward_kernel {
  const T* x;     // [rows, width]
  const T* bias;  // [width]
  T* y;           // [rows, width]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const std::int64_t at = row * width + i;
      y[at] = narrow<T>(gelu(widen(x[at]) + widen(bias[i])));
    }
  }
};

}  // namespace

void bias_gelu_forward(device& on, stream_id stream, const tensor_view& x, const tensor_view& bias,
                       const tensor_view& y) {
  if (!(x.dims == y.dims) || bias.dims.rank() != 1 || bias.dims.width() != x.dims.width() ||
      x.type != y.type || x.type != bias.type) {
    refuse("bias_gelu_forward", {{"x", x}, {"bias", bias}, {"y", y}},
           "give all one type, y the shape of x and bias that of x's last axis");
  }
  with_element(x.type, [&]<class T>(T*) {
    launch_rows(
        on, stream, x.dims.rows(), x.dims.width(),
        bias_gelu_forward_kernel<T>{elements_of<T>(x), elements_of<T>(bias), elements_of<T>(y)});
  });
}

}  // namespace headroom::kernels
