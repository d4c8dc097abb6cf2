// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/loss.hpp>

#include <cmath>
#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

template <class T>
struct softmax_cross_entropy_kernel {
  T* y;                         // [rows, width]
  const std::int32_t* classes;  // [rows]
  float scale;
  float* losses;  // [rows]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    T* own = y + row * width;
    const std::int64_t wanted = classes[row];
    const bool known = wanted >= 0 && wanted < width;
    const float at_class = known ? widen(own[wanted]) : NAN;
    float most = -INFINITY;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const float value = widen(own[i]);
      most = value > most ? value : most;
    }
    most = together.max(most);
    float sum = 0.0F;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      sum += std::exp(widen(own[i]) - most);
    }
    sum = together.sum(sum);  // and everybody has read the class's value
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const float probability = std::exp(widen(own[i]) - most) / sum;
      own[i] = narrow<T>(scale * (i == wanted ? probability - 1.0F : probability));
    }
    if (together.rank() == 0) losses[row] = scale * (std::log(sum) + (most - at_class));
  }
};

template <class T>
struct squared_error_kernel {
  T* y;             // [rows, width]
  const T* target;  // [rows, width]
  float scale;
  float* losses;  // [rows]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    float sum = 0.0F;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const std::int64_t at = row * width + i;
      const float difference = widen(y[at]) - widen(target[at]);
      sum += difference * difference;
      y[at] = narrow<T>(2.0F * scale * difference);
    }
    sum = together.sum(sum);
    if (together.rank() == 0) losses[row] = scale * sum;
  }
};

struct sum_kernel {
  const float* x;  // [width]
  float* sum;      // [1]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t /*row*/,
                                       std::int64_t width) const {
    double own = 0.0;  // many small numbers: in float32 the last ones would count less
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      own += static_cast<double>(x[i]);
    }
    const float all = together.sum(static_cast<float>(own));
    if (together.rank() == 0) *sum = all;
  }
};

template <class T>
struct largest_of_rows_kernel {
  const T* x;             // [rows, width]
  std::int32_t* classes;  // [rows]

  HEADROOM_HOST_DEVICE void operator()(team together, std::int64_t row, std::int64_t width) const {
    float most = -INFINITY;
    std::int64_t place = width;
    for (std::int64_t i = together.rank(); i < width; i += together.size()) {
      const float value = widen(x[row * width + i]);
      if (place == width || value > most) {
        most = value;
        place = i;
      }
    }
    const float of_all = together.max(most);
    // Places are exact in float32 up to 2^24, more than a row of a network has.
    const float first = -together.max(most == of_all ? -static_cast<float>(place) : -INFINITY);
    if (together.rank() == 0) classes[row] = static_cast<std::int32_t>(first);
  }
};

bool holds_rows_of(const tensor_view& y, const tensor_view& rows) {
  return rows.type == dtype::float32 && rows.dims.elements() == y.dims.rows();
}

}  // namespace

void softmax_cross_entropy(device& on, stream_id stream, const tensor_view& y,
                           const class_view& classes, float scale, const tensor_view& rows) {
  if (classes.count != y.dims.rows()) refuse_classes("softmax_cross_entropy", y, classes.count);
  if (!holds_rows_of(y, rows)) {
    refuse("softmax_cross_entropy", {{"y", y}, {"rows", rows}},
           "give rows one float32 for each row of y");
  }
  with_element(y.type, [&]<class T>(T*) {
    launch_rows(on, stream, y.dims.rows(), y.dims.width(),
                softmax_cross_entropy_kernel<T>{elements_of<T>(y), classes.address, scale,
                                                elements_of<float>(rows)});
  });
}

void squared_error(device& on, stream_id stream, const tensor_view& y, const tensor_view& target,
                   float scale, const tensor_view& rows) {
  if (!(y.dims == target.dims) || y.type != target.type || !holds_rows_of(y, rows)) {
    refuse("squared_error", {{"y", y}, {"target", target}, {"rows", rows}},
           "give target y's shape and type, and rows one float32 for each row of y");
  }
  with_element(y.type, [&]<class T>(T*) {
    launch_rows(on, stream, y.dims.rows(), y.dims.width(),
                squared_error_kernel<T>{elements_of<T>(y), elements_of<T>(target), scale,
                                        elements_of<float>(rows)});
  });
}

void sum_elements(device& on, stream_id stream, const tensor_view& x, const tensor_view& sum) {
  if (x.type != dtype::float32 || sum.type != dtype::float32 || sum.dims.elements() != 1) {
    refuse("sum_elements", {{"x", x}, {"sum", sum}}, "give both float32, and sum one element");
  }
  launch_rows(on, stream, 1, x.dims.elements(),
              sum_kernel{elements_of<float>(x), elements_of<float>(sum)});
}

void largest_of_rows(device& on, stream_id stream, const tensor_view& x,
                     const class_view& classes) {
  if (classes.count != x.dims.rows()) refuse_classes("largest_of_rows", x, classes.count);
  with_element(x.type, [&]<class T>(T*) {
    launch_rows(on, stream, x.dims.rows(), x.dims.width(),
                largest_of_rows_kernel<T>{elements_of<T>(x), classes.address});
  });
}

}  // namespace headroom::kernels
