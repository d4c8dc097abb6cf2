// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <string_view>

namespace headroom::kernels {

/// Element type of a tensor.
enum class dtype : unsigned char { float32, bfloat16 };

/// "float32", as in budget files.
[[nodiscard]] std::string_view name_of(dtype type);
/// @throws usage_error with the types there are
[[nodiscard]] dtype dtype_from_name(std::string_view name);

/// Bytes of one element.
[[nodiscard]] constexpr bytes size_of(dtype type) { return bytes{type == dtype::float32 ? 4 : 2}; }

}  // namespace headroom::kernels
