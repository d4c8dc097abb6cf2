// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/shape.hpp>

namespace headroom::kernels {

shape::shape(std::initializer_list<axis> axes) {
  if (axes.size() > most_axes) {
    throw usage_error(fmt::format("a tensor of {} axes; give at most {}", axes.size(), most_axes));
  }
  bool fits = true;
  for (const axis& each : axes) {
    if (each.size < 1) {
      throw usage_error(fmt::format("{} is {}; give 1 or more", each.name, each.size));
    }
    fits = checked_multiply(rank_ == 0 ? 1 : elements_, each.size, elements_) && fits;
    axes_[rank_++] = each;
  }
  if (!fits) {
    throw usage_error(
        fmt::format("the elements of {} do not fit 64 bits; make an axis smaller", text()));
  }
}

std::string shape::text() const {
  std::string text = "[";
  for (std::size_t i = 0; i < rank_; ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", axes_[i].name, axes_[i].size);
  }
  return text + "]";
}

bool operator==(const shape& a, const shape& b) {
  if (a.rank_ != b.rank_) return false;
  for (std::size_t i = 0; i < a.rank_; ++i) {
    if (a.axes_[i].size != b.axes_[i].size) return false;
  }
  return true;
}

bytes storage_of(const shape& dims, dtype type) {
  bytes size;
  if (checked_multiply(dims.elements(), size_of(type).n, size.n)) return size;
  throw usage_error(fmt::format("the bytes of {} in {} do not fit 64 bits; make an axis smaller",
                                dims.text(), name_of(type)));
}

}  // namespace headroom::kernels
