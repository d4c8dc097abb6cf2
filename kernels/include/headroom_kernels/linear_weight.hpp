// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/ops/packed_weight.hpp>
#include <headroom_kernels/tensor.hpp>
#include <string_view>

namespace headroom::kernels {

/// How the matrices of a model are stored; they are computed with in the model's type.
enum class weight_format : unsigned char {
  plain,  ///< in the model's type
  int8,   ///< 8 bits a number, with scales and zero points of groups
  int4    ///< 4 bits, two numbers a byte, likewise
};
/// "plain", "int8", "int4"
[[nodiscard]] std::string_view name_of(weight_format format);
/// @throws usage_error with the formats there are
[[nodiscard]] weight_format weight_format_from_name(std::string_view name);

struct weight_storage {
  weight_format format = weight_format::plain;
  std::int64_t group = 128;  ///< inputs that share a scale and a zero point
};

/// A matrix [inputs, outputs] that rows are multiplied with.
class linear_weight {
 public:
  linear_weight() = default;
  /// Allocates, tag `weights`. @throws out_of_memory; usage_error when outputs are odd and packed
  linear_weight(device& on, stream_id stream, const shape& dims, dtype type,
                const weight_storage& storage);

  /// Queues the storing of a matrix of the same shape.
  void store(device& on, stream_id stream, const tensor_view& from) const;

  /// Queues y = x weight + beta y. A packed weight is written out beside it, tag `workspace`, for
  /// that product alone.
  /// @throws out_of_memory
  void multiply(device& on, stream_id stream, matrix_library& products, const matrix_view& x,
                float beta, const matrix_view& y) const;

  /// The matrix where it is plain; an empty tensor where it is packed.
  [[nodiscard]] const tensor& plain() const { return plain_; }
  [[nodiscard]] packed_weight packed() const;
  [[nodiscard]] const shape& dims() const { return dims_; }

 private:
  shape dims_;
  dtype type_ = dtype::float32;
  weight_storage storage_;
  tensor plain_;
  buffer numbers_, scales_, zeros_;  // where packed
};

}  // namespace headroom::kernels
