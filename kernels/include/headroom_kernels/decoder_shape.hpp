// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom_kernels/shape.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace headroom::kernels {

/// Sizes of a decoder, as model files give them.
struct decoder_shape {
  std::int64_t layers = 0;
  std::int64_t width = 0;
  std::int64_t heads = 0;     ///< of queries
  std::int64_t kv_heads = 0;  ///< of keys and values; heads is a multiple of it
  std::int64_t head_dim = 0;  ///< even
  std::int64_t ffn = 0;       ///< width between the two halves of the gated MLP
  std::int64_t vocabulary = 0;
  bool tied = false;  ///< the output projection is the token embedding
  float rotary_base = 500000.0F;
  float norm_epsilon = 1e-5F;
  dtype type = dtype::float32;  ///< of weights and activations

  [[nodiscard]] std::int64_t queries() const { return heads * head_dim; }
  [[nodiscard]] std::int64_t keys() const { return kv_heads * head_dim; }
  /// Queries, keys and values of a token side by side.
  [[nodiscard]] std::int64_t projections() const { return queries() + 2 * keys(); }
  /// @throws usage_error when it does not fit 64 bits
  [[nodiscard]] std::int64_t parameters() const;
};

/// @throws usage_error that says what to write, when a size is below 1, heads are no multiple of KV
/// heads, the head dimension is odd (rotary positions turn pairs), or a tensor does not fit 64 bits
void check_shape(const decoder_shape& dims);

/// Sizes of well-known models: "1b", "7b", "8b", "70b". Absent for any other name.
[[nodiscard]] std::optional<decoder_shape> decoder_preset(std::string_view name);
[[nodiscard]] std::vector<std::string_view> decoder_preset_names();

/// One weight of a decoder, in the order in which they are made.
struct decoder_parameter {
  std::string_view name;
  shape dims;
  std::int64_t count = 1;  ///< how many there are: the layers, or 1
  bool linear = false;     ///< a matrix of a layer, which may be stored packed
};
/// @throws usage_error as check_shape
[[nodiscard]] std::vector<decoder_parameter> parameters_of(const decoder_shape& dims);

}  // namespace headroom::kernels
