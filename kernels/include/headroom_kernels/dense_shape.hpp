// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom_kernels/shape.hpp>

namespace headroom::kernels {

/// Sizes of a dense network and of what runs through it.
struct dense_shape {
  std::int64_t batch = 0;
  std::int64_t context = 0;
  std::int64_t width = 0;
  std::int64_t layers = 0;
  dtype type = dtype::float32;  ///< of weights and activations

  /// [width_in, width], of a layer
  [[nodiscard]] shape weight() const;
  /// [width], of a layer
  [[nodiscard]] shape bias() const;
  /// [batch, context, width]: input and output of a layer
  /// @throws usage_error when the elements do not fit 64 bits, as the other shapes
  [[nodiscard]] shape activation() const;
  /// layers x (width x width + width). @throws usage_error when it does not fit 64 bits
  [[nodiscard]] std::int64_t parameters() const;
};

}  // namespace headroom::kernels
