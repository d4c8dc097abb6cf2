// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <headroom_kernels/shape.hpp>

namespace headroom::kernels {

/// Sizes of a dense network and of what runs through it.
struct dense_shape {
  std::int64_t batch = 0;
  std::int64_t context = 0;
  std::int64_t width = 0;
  std::int64_t layers = 0;
  dtype type = dtype::float32;    ///< of weights and activations
  std::int64_t adapter_rank = 0;  ///< 0: the network has no adapters

  [[nodiscard]] bool adapted() const { return adapter_rank > 0; }
  /// [width_in, width], of a layer
  [[nodiscard]] shape weight() const;
  /// [width], of a layer
  [[nodiscard]] shape bias() const;
  /// [width_in, rank] and [rank, width]: the adapter of a layer. @throws usage_error without one
  [[nodiscard]] shape down() const;
  [[nodiscard]] shape up() const;
  /// Shapes of what training changes in a layer: down and up with adapters, else weight and bias.
  /// The first is the largest.
  [[nodiscard]] std::array<shape, 2> trained() const;
  /// [batch, context, width]: input and output of a layer
  /// @throws usage_error when the elements do not fit 64 bits, as the other shapes
  [[nodiscard]] shape activation() const;
  /// [batch, context, rank]: what an adapter makes of a layer's input
  [[nodiscard]] shape projection() const;

  /// Layers x (width x width + width), and adapters. @throws usage_error when it does not fit 64
  /// bits
  [[nodiscard]] std::int64_t parameters() const;
  /// Those that training changes: layers x 2 x width x rank with adapters, else all.
  [[nodiscard]] std::int64_t trained_parameters() const;
};

}  // namespace headroom::kernels
