// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/dtype.hpp>

namespace headroom::kernels {

std::string_view name_of(dtype type) { return type == dtype::float32 ? "float32" : "bfloat16"; }

dtype dtype_from_name(std::string_view name) {
  for (const dtype type : {dtype::float32, dtype::bfloat16}) {
    if (name == name_of(type)) return type;
  }
  throw usage_error(fmt::format("unknown dtype \"{}\"; write \"float32\" or \"bfloat16\"", name));
}

}  // namespace headroom::kernels
