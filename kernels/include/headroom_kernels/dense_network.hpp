// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/tensor.hpp>
#include <vector>

namespace headroom::kernels {

/// Sizes of a dense network and of what runs through it.
struct dense_shape {
  std::int64_t batch = 0;
  std::int64_t context = 0;
  std::int64_t width = 0;
  std::int64_t layers = 0;
  dtype type = dtype::float32;  ///< of weights and activations

  /// layers x (width x width + width). @throws usage_error when it does not fit 64 bits
  [[nodiscard]] std::int64_t parameters() const;
  /// [batch, context, width]: input and output of each layer. @throws usage_error likewise
  [[nodiscard]] shape activation() const;
};

/// What a forward pass holds, from its sizes alone; each tensor rounded up as the allocator does.
struct dense_forward_plan {
  bytes weights;
  bytes input;        ///< one tensor
  bytes activations;  ///< at the peak: input and output of one layer, less the network's own input
  bytes output;       ///< what stays after the pass
  bytes workspace;    ///< of the matrix library

  /// The most that is allocated at once.
  [[nodiscard]] bytes peak() const { return weights + input + activations + workspace; }
  /// What is allocated between two passes.
  [[nodiscard]] bytes between_passes() const { return weights + input + output + workspace; }
};
/// Holds where the allocator hands out blocks without a rest too small to split off (DESIGN 5).
/// @throws usage_error when a size does not fit 64 bits
[[nodiscard]] dense_forward_plan plan_dense_forward(const dense_shape& dims, bytes workspace);

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
