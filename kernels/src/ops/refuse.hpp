// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/tensor.hpp>
#include <initializer_list>
#include <string_view>

namespace headroom::kernels {

struct named_tensor {
  std::string_view name;
  const tensor_view& view;
};

/// @throws usage_error "OPERATION: x float32 [rows 2, width 3], y ...; ADVICE"
[[noreturn]] void refuse(std::string_view operation, std::initializer_list<named_tensor> tensors,
                         std::string_view advice);

/// @throws usage_error: there is not one class for each row
[[noreturn]] void refuse_classes(std::string_view operation, const tensor_view& of,
                                 std::int64_t classes);

}  // namespace headroom::kernels
