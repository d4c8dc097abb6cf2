// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/dense_shape.hpp>
#include <headroom_kernels/tensor.hpp>
#include <vector>

namespace headroom::kernels {

/// `layers` blocks of linear, bias and GELU. Weights are random, of a size that keeps activations
/// in range over many layers.
///
/// With adapters, x weight + scale (x down) up stands in the place of x weight: `down` and `up`, of
/// low rank, are trained, weights and biases frozen. `up` is zero at first, so that training starts
/// from the network as it is without them.
class dense_network {
 public:
  /// Allocates the weights, tag `weights`, and queues their values. Weights and biases of a seed
  /// are the same with and without adapters.
  /// @param on             must outlive the network
  /// @param adapter_scale  of no meaning without adapters
  /// @throws out_of_memory; usage_error when sizes do not fit 64 bits
  dense_network(device& on, stream_id stream, const dense_shape& dims, std::uint64_t seed,
                float adapter_scale = 1.0F);

  /// Queues a pass. Beside x at most two more tensors of x's size are alive at a time: input and
  /// output of the layer that runs, and its adapter's projection. Tag `activations`.
  /// @param products  on the network's device and stream
  /// @param x         [batch, context, width]; is kept
  /// @return          [batch, context, width]
  /// @throws out_of_memory; the network is unchanged then
  [[nodiscard]] tensor forward(matrix_library& products, const tensor_view& x) const;

  /// A layer before bias and GELU. Tag `activations`.
  struct product {
    tensor sum;         ///< [batch, context, width]: x weight, with the adapter's part
    tensor projection;  ///< [batch, context, rank]: x down; empty without adapters
  };
  /// Allocates and queues the product of one layer.
  /// @param which  below the number of layers
  /// @param x      [batch, context, width]: the layer's input
  /// @throws out_of_memory
  [[nodiscard]] product multiply(matrix_library& products, std::size_t which,
                                 const tensor_view& x) const;

  struct layer {
    tensor weight;  ///< [width_in, width]: y = x weight
    tensor bias;    ///< [width]
    tensor down;    ///< [width_in, rank]; empty without adapters, as up
    tensor up;      ///< [rank, width]
  };
  /// The tensors of a layer, or of its gradient, that training changes.
  [[nodiscard]] std::array<const tensor*, 2> trained(const layer& of) const;
  [[nodiscard]] const std::vector<layer>& layers() const { return layers_; }
  [[nodiscard]] const dense_shape& dims() const { return dims_; }
  [[nodiscard]] float adapter_scale() const { return adapter_scale_; }

 private:
  device& device_;
  stream_id stream_;
  dense_shape dims_;
  float adapter_scale_;
  std::vector<layer> layers_;
};

}  // namespace headroom::kernels
