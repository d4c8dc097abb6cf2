// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <headroom_kernels/dtype.hpp>
#include <initializer_list>
#include <string>
#include <string_view>

namespace headroom::kernels {

/// One dimension of a tensor. @param name  a string literal: it is not copied
struct axis {
  std::string_view name;
  std::int64_t size = 0;
};

/// Up to four axes, the last one contiguous. The number of elements fits 64 bits.
class shape {
 public:
  static constexpr std::size_t most_axes = 4;

  /// No axes and no elements.
  shape() = default;
  /// @throws usage_error that names the axis, when a size is below 1, or the axes, when their
  /// product does not fit 64 bits
  shape(std::initializer_list<axis> axes);

  [[nodiscard]] std::size_t rank() const { return rank_; }
  /// @param which  below rank()
  [[nodiscard]] const axis& operator[](std::size_t which) const { return axes_[which]; }
  [[nodiscard]] std::int64_t elements() const { return elements_; }
  /// Size of the last axis; 0 without axes.
  [[nodiscard]] std::int64_t width() const { return rank_ == 0 ? 0 : axes_[rank_ - 1].size; }
  /// Product of all axes but the last; 0 without axes.
  [[nodiscard]] std::int64_t rows() const { return rank_ == 0 ? 0 : elements_ / width(); }
  /// "[batch 2, context 128, width 1024]"
  [[nodiscard]] std::string text() const;

  /// Equal when the sizes are, whatever the names.
  friend bool operator==(const shape& a, const shape& b);

 private:
  std::array<axis, most_axes> axes_{};
  std::size_t rank_ = 0;
  std::int64_t elements_ = 0;
};

/// Bytes of a tensor. @throws usage_error that names the axes, when they do not fit 64 bits
[[nodiscard]] bytes storage_of(const shape& dims, dtype type);

}  // namespace headroom::kernels
