// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/dense_shape.hpp>
#include <headroom_kernels/tensor.hpp>
#include <vector>

namespace headroom::kernels {

/// `layers` blocks of linear, bias and GELU. Weights are random, of a size that keeps activations
/// in range over many layers.
class dense_network {
 public:
  /// Allocates the weights, tag `weights`, and queues their values.
  /// @param on  must outlive the network
  /// @throws out_of_memory; usage_error when sizes do not fit 64 bits
  dense_network(device& on, stream_id stream, const dense_shape& dims, std::uint64_t seed);

  /// Queues a pass. Beside x at most two more tensors of x's size are alive at a time: input and
  /// output of the layer that runs. Tag `activations`.
  /// @param products  on the network's device and stream
  /// @param x         [batch, context, width]; is kept
  /// @return          [batch, context, width]
  /// @throws out_of_memory; the network is unchanged then
  [[nodiscard]] tensor forward(matrix_library& products, const tensor_view& x) const;

  struct layer {
    tensor weight;  ///< [width_in, width]: y = x weight
    tensor bias;    ///< [width]
  };
  [[nodiscard]] const std::vector<layer>& layers() const { return layers_; }
  [[nodiscard]] const dense_shape& dims() const { return dims_; }

 private:
  device& device_;
  stream_id stream_;
  dense_shape dims_;
  std::vector<layer> layers_;
};

}  // namespace headroom::kernels
