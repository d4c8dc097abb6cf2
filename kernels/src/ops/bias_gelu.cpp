// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/bias_gelu.hpp>

#include <cmath>
#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

// v / 2 (1 + tanh(u)) = v s with s = 1 / (1 + exp(-2 u)): one exponential in place of a hyperbolic
// tangent.
HEADROOM_HOST_DEVICE inline float one_plus_exp(float v) {
  constexpr float twice_sqrt_2_over_pi = 1.5957691216057308F;
  return 1.0F + std::exp(-twice_sqrt_2_over_pi * (v + 0.044715F * v * v * v));
}

HEADROOM_HOST_DEVICE inline float gelu(float v) { return v / one_plus_exp(v); }

// s + v s', where s' = s (1 - s) 2 u'
HEADROOM_HOST_DEVICE inline float gelu_slope(float v) {
  constexpr float twice_sqrt_2_over_pi = 1.5957691216057308F;
  const float s = 1.0F / one_plus_exp(v);
  return s + v * s * (1.0F - s) * twice_sqrt_2_over_pi * (1.0F + 3.0F * 0.044715F * v * v);
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

template <class T>
struct bias_gelu_backward_kernel {
  const T* x;     // [rows, width]
  const T* bias;  // [width]
  const T* dy;    // [rows, width]
  T* dx;          // [rows, width]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const std::int64_t at = row * width + i;
      dx[at] = narrow<T>(widen(dy[at]) * gelu_slope(widen(x[at]) + widen(bias[i])));
    }
  }
};

bool fits(const tensor_view& x, const tensor_view& bias) {
  return bias.dims.rank() == 1 && bias.dims.width() == x.dims.width() && x.type == bias.type;
}

}  // namespace

void bias_gelu_forward(device& on, stream_id stream, const tensor_view& x, const tensor_view& bias,
                       const tensor_view& y) {
  if (!(x.dims == y.dims) || x.type != y.type || !fits(x, bias)) {
    refuse("bias_gelu_forward", {{"x", x}, {"bias", bias}, {"y", y}},
           "give all one type, y the shape of x and bias that of x's last axis");
  }
  with_element(x.type, [&]<class T>(T*) {
    launch_rows(
        on, stream, x.dims.rows(), x.dims.width(),
        bias_gelu_forward_kernel<T>{elements_of<T>(x), elements_of<T>(bias), elements_of<T>(y)});
  });
}

void bias_gelu_backward(device& on, stream_id stream, const tensor_view& x, const tensor_view& bias,
                        const tensor_view& dy, const tensor_view& dx) {
  if (!(x.dims == dy.dims) || !(x.dims == dx.dims) || x.type != dy.type || x.type != dx.type ||
      !fits(x, bias)) {
    refuse("bias_gelu_backward", {{"x", x}, {"bias", bias}, {"dy", dy}, {"dx", dx}},
           "give all one type, dy and dx the shape of x and bias that of x's last axis");
  }
  with_element(x.type, [&]<class T>(T*) {
    launch_rows(on, stream, x.dims.rows(), x.dims.width(),
                bias_gelu_backward_kernel<T>{elements_of<T>(x), elements_of<T>(bias),
                                             elements_of<T>(dy), elements_of<T>(dx)});
  });
}

}  // namespace headroom::kernels
