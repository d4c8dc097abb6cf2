// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headroom::kernels {

/// Which activations a forward pass over equal layers keeps for backward; those that it drops are
/// computed again.
struct checkpoint_policy {
  enum class keeping : unsigned char {
    all,       ///< inputs and products of all layers: nothing is computed again
    products,  ///< products alone: what is cheap, the layers' inputs, is computed again
    segments   ///< inputs of segments of layers alone: each segment is run again
  };
  std::string name = "none";
  keeping keeps = keeping::all;
  std::int64_t segment_layers = 1;  ///< of keeping::segments; the last segment may have fewer

  /// Whether the output of layer - 1, which is the input of `layer`, is kept. @param layer  1 or
  /// more: the input of layer 0 is the network's, which is nobody's to keep or drop
  [[nodiscard]] bool keeps_input(std::int64_t layer) const {
    return keeps == keeping::all || (keeps == keeping::segments && layer % segment_layers == 0);
  }
  [[nodiscard]] bool keeps_product() const { return keeps != keeping::segments; }
};

/// "none"; "selective": the products; "every_layer", "every_2", "every_3" and so on: the input of
/// every layer, every second, every third; "sqrt": of every k-th, k the square root of layers,
/// rounded up.
/// @param layers  1 or more
/// @throws usage_error with the policies there are, or the most layers that a segment can have
[[nodiscard]] checkpoint_policy checkpoint_policy_from_name(std::string_view name,
                                                            std::int64_t layers);

/// Tensors of one size, [batch, context, width], that a policy keeps.
struct kept_tensors {
  std::int64_t after_forward = 0;  ///< between forward and backward, the output not counted
  std::int64_t at_most = 0;        ///< at a time, with what a segment keeps when it is run again
  std::int64_t products_after_forward = 0;  ///< of after_forward; the others are inputs
  std::int64_t products_at_most = 0;        ///< of at_most; of equal moments the most
};
/// @param layers  1 or more
[[nodiscard]] kept_tensors plan_kept_tensors(const checkpoint_policy& policy, std::int64_t layers);

}  // namespace headroom::kernels
