// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/dense_shape.hpp>

namespace headroom::kernels {

shape dense_shape::weight() const { return {{"width_in", width}, {"width", width}}; }

shape dense_shape::bias() const { return {{"width", width}}; }

shape dense_shape::activation() const {
  return {{"batch", batch}, {"context", context}, {"width", width}};
}

std::int64_t dense_shape::parameters() const {
  std::int64_t each = 0;
  std::int64_t all = 0;
  if (checked_multiply(width, width, each) && checked_add(each, width, each) &&
      checked_multiply(layers, each, all)) {
    return all;
  }
  throw usage_error(fmt::format(
      "the parameters, layers {} x (width {} x width + width), do not fit 64 bits; make layers or "
      "width smaller",
      layers, width));
}

}  // namespace headroom::kernels
