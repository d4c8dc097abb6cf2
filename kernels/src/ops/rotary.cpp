// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom_kernels/launch.hpp>
#include <headroom_kernels/ops/rotary.hpp>
#include <string>

#include "../dispatch.hpp"

namespace headroom::kernels {
namespace {

/// One element is one pair of one token, in all of its heads: they share the angle.
template <class T>
struct rotary_kernel {
  T* x;
  std::int64_t leading;
  std::int64_t heads;
  std::int64_t half;  // of the head dimension
  std::int64_t first_position;
  double log_base;
  float sign;

  HEADROOM_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t row = i / half;
    const std::int64_t pair = i % half;
    // In double: at a position of 100 000 the angle's error in float32 would be seen.
    constexpr double turn = 6.283185307179586;
    const double frequency =
        std::exp(-log_base * static_cast<double>(pair) / static_cast<double>(half));
    const double angle = static_cast<double>(first_position + row) * frequency;
    const auto within = static_cast<float>(angle - turn * std::floor(angle / turn));
    const float cosine = std::cos(within);
    const float sine = sign * std::sin(within);
    for (std::int64_t head = 0; head < heads; ++head) {
      T* own = x + row * leading + head * 2 * half + pair;
      const float a = widen(own[0]);
      const float b = widen(own[half]);
      own[0] = narrow<T>(a * cosine - b * sine);
      own[half] = narrow<T>(b * cosine + a * sine);
    }
  }
};

}  // namespace

void rotary(device& on, stream_id stream, const head_rows& x, std::int64_t first_position,
            float base, rotation way) {
  if (x.head_dim % 2 != 0) {
    throw usage_error("rotary: heads of dimension " + std::to_string(x.head_dim) +
                      "; give an even number");
  }
  const std::int64_t half = x.head_dim / 2;
  with_element(x.type, [&]<class T>(T*) {
    launch_elements(on, stream, x.rows * half,
                    rotary_kernel<T>{static_cast<T*>(x.address), x.leading, x.heads, half,
                                     first_position, std::log(static_cast<double>(base)),
                                     way == rotation::forward ? 1.0F : -1.0F});
  });
}

}  // namespace headroom::kernels
