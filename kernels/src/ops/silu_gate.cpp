// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/silu_gate.hpp>

#include <cmath>
#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

template <class T>
struct silu_gate_kernel {
  const T* gate_up;  // [rows, 2 width]
  T* y;              // [rows, width], `leading` apart
  std::int64_t leading;

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    const T* gate = gate_up + row * 2 * width;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const float v = widen(gate[i]);
      y[row * leading + i] = narrow<T>(v / (1.0F + std::exp(-v)) * widen(gate[width + i]));
    }
  }
};

template <class T>
struct silu_gate_backward_kernel {
  T* gate_up;   // [rows, 2 width]
  const T* dy;  // [rows, width]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    T* gate = gate_up + row * 2 * width;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const float v = widen(gate[i]);
      const float d = widen(dy[row * width + i]);
      const float s = 1.0F / (1.0F + std::exp(-v));
      gate[i] = narrow<T>(d * widen(gate[width + i]) * s * (1.0F + v * (1.0F - s)));
      gate[width + i] = narrow<T>(d * v * s);
    }
  }
};

}  // namespace

void silu_gate_backward(device& on, stream_id stream, const tensor_view& gate_up,
                        const tensor_view& dy) {
  if (gate_up.dims.width() != 2 * dy.dims.width() || gate_up.dims.rows() != dy.dims.rows() ||
      gate_up.type != dy.type) {
    refuse("silu_gate_backward", {{"gate_up", gate_up}, {"dy", dy}},
           "give both one type, and dy the rows and half the width of gate_up");
  }
  with_element(dy.type, [&]<class T>(T*) {
    launch_rows(on, stream, dy.dims.rows(), dy.dims.width(),
                silu_gate_backward_kernel<T>{elements_of<T>(gate_up), elements_of<T>(dy)});
  });
}

void silu_gate(device& on, stream_id stream, const tensor_view& gate_up, const matrix_view& y) {
  if (gate_up.dims.width() != 2 * y.columns || gate_up.dims.rows() != y.rows ||
      gate_up.type != y.type || y.leading < y.columns || y.transposed) {
    const tensor_view result{y.address, {{"rows", y.rows}, {"width", y.columns}}, y.type};
    refuse("silu_gate", {{"gate_up", gate_up}, {"y", result}},
           "give both one type, and y the rows and half the width of gate_up");
  }
  with_element(y.type, [&]<class T>(T*) {
    launch_rows(
        on, stream, y.rows, y.columns,
        silu_gate_kernel<T>{elements_of<T>(gate_up), static_cast<T*>(y.address), y.leading});
  });
}

matrix_view left_half(const tensor_view& gate_up) {
  matrix_view half = matrix_of(gate_up);
  half.columns /= 2;
  return half;
}

}  // namespace headroom::kernels
