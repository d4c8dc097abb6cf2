// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/dense_shape.hpp>

namespace headroom::kernels {

shape dense_shape::weight() const { return {{"width_in", width}, {"width", width}}; }

shape dense_shape::bias() const { return {{"width", width}}; }

shape dense_shape::down() const { return {{"width_in", width}, {"adapter_rank", adapter_rank}}; }

shape dense_shape::up() const { return {{"adapter_rank", adapter_rank}, {"width", width}}; }

std::array<shape, 2> dense_shape::trained() const {
  if (adapted()) return {down(), up()};
  return {weight(), bias()};
}

shape dense_shape::activation() const {
  return {{"batch", batch}, {"context", context}, {"width", width}};
}

shape dense_shape::projection() const {
  return {{"batch", batch}, {"context", context}, {"adapter_rank", adapter_rank}};
}

std::int64_t dense_shape::parameters() const {
  std::int64_t each = 0;
  std::int64_t adapter = 0;
  std::int64_t all = 0;
  if (checked_multiply(width, width, each) && checked_add(each, width, each) &&
      checked_multiply(width, adapter_rank, adapter) && checked_multiply(adapter, 2, adapter) &&
      checked_add(each, adapter, each) && checked_multiply(layers, each, all)) {
    return all;
  }
  throw usage_error(fmt::format(
      "the parameters, layers {} x (width {} x width + width{}), do not fit 64 bits; "
      "make layers or width smaller",
      layers, width, adapted() ? fmt::format(" + 2 x width x adapters {}", adapter_rank) : ""));
}

std::int64_t dense_shape::trained_parameters() const {
  const std::int64_t all = parameters();
  return adapted() ? layers * 2 * width * adapter_rank : all;
}

}  // namespace headroom::kernels
