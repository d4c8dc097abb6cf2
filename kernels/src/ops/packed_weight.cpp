// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/packed_weight.hpp>

#include <cmath>
#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

/// One element is one group of two neighbouring outputs, whose numbers may share bytes.
template <class T>
struct pack_kernel {
  const T* from;
  packed_weight to;
  std::int64_t inputs;
  std::int64_t outputs;

  HEADROOM_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t pairs = outputs / 2;
    const std::int64_t group = i / pairs;
    const std::int64_t first = group * to.group;
    const std::int64_t behind = first + to.group < inputs ? first + to.group : inputs;
    const float most = to.bits == 8 ? 255.0F : 15.0F;
    float scale[2];
    float zero[2];
    for (std::int64_t side = 0; side < 2; ++side) {
      const std::int64_t output = i % pairs * 2 + side;
      float low = 0.0F;
      float high = 0.0F;
      for (std::int64_t row = first; row < behind; ++row) {
        const float value = widen(from[row * outputs + output]);
        low = value < low ? value : low;
        high = value > high ? value : high;
      }
      // Above what is needed by more than its rounding to bfloat16 may take away.
      const bfloat16 stored = narrow<bfloat16>((high - low) / most * 1.0078125F);
      scale[side] = widen(stored);
      zero[side] = scale[side] > 0.0F ? std::rint(-low / scale[side]) : 0.0F;
      to.scales[group * outputs + output] = stored;
      to.zeros[group * outputs + output] = static_cast<std::uint8_t>(zero[side]);
    }
    for (std::int64_t row = first; row < behind; ++row) {
      unsigned number[2];
      for (std::int64_t side = 0; side < 2; ++side) {
        const float value = widen(from[row * outputs + i % pairs * 2 + side]);
        float steps = scale[side] > 0.0F ? std::rint(value / scale[side]) + zero[side] : 0.0F;
        steps = steps < 0.0F ? 0.0F : steps > most ? most : steps;
        number[side] = static_cast<unsigned>(steps);
      }
      const std::int64_t at = row * pairs + i % pairs;
      if (to.bits == 8) {
        to.numbers[2 * at] = static_cast<std::uint8_t>(number[0]);
        to.numbers[2 * at + 1] = static_cast<std::uint8_t>(number[1]);
      } else {
        to.numbers[at] = static_cast<std::uint8_t>(number[0] | number[1] << 4U);
      }
    }
  }
};

template <class T>
struct unpack_kernel {
  packed_weight from;
  T* to;  // [inputs, width]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    const std::int64_t group = row / from.group * width;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const std::int64_t at = row * width + i;
      unsigned number = 0;
      if (from.bits == 8) {
        number = from.numbers[at];
      } else {
        const unsigned both = from.numbers[at / 2];
        number = i % 2 == 0 ? both & 15U : both >> 4U;
      }
      const float steps = static_cast<float>(number) - static_cast<float>(from.zeros[group + i]);
      to[at] = narrow<T>(widen(from.scales[group + i]) * steps);
    }
  }
};

void check(std::string_view operation, const tensor_view& plain, const packed_weight& packed) {
  const bool fits = plain.dims.rank() == 2 && plain.dims.width() % 2 == 0 && packed.group > 0 &&
                    (packed.bits == 8 || packed.bits == 4);
  if (fits) return;
  refuse(operation, {{"weight", plain}},
         "give inputs and an even number of outputs, a group of 1 or more and 8 or 4 bits");
}

}  // namespace

void pack_weight(device& on, stream_id stream, const tensor_view& from, const packed_weight& to) {
  check("pack_weight", from, to);
  const std::int64_t groups = (from.dims.rows() - 1) / to.group + 1;
  with_element(from.type, [&]<class T>(T*) {
    launch_elements(on, stream, groups * (from.dims.width() / 2),
                    pack_kernel<T>{elements_of<T>(from), to, from.dims.rows(), from.dims.width()});
  });
}

void unpack_weight(device& on, stream_id stream, const packed_weight& from, const tensor_view& to) {
  check("unpack_weight", to, from);
  with_element(to.type, [&]<class T>(T*) {
    launch_rows(on, stream, to.dims.rows(), to.dims.width(),
                unpack_kernel<T>{from, elements_of<T>(to)});
  });
}

}  // namespace headroom::kernels
