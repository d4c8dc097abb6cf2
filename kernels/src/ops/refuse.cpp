// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "refuse.hpp"

#include <fmt/format.h>

#include <headroom/core/error.hpp>

namespace headroom::kernels {

void refuse(std::string_view operation, std::initializer_list<named_tensor> tensors,
            std::string_view advice) {
  std::string text;
  for (const named_tensor& each : tensors) {
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", each.name, name_of(each.view.type),
                        each.view.dims.text());
  }
  throw usage_error(fmt::format("{}: {}; {}", operation, text, advice));
}

void refuse_classes(std::string_view operation, const tensor_view& of, std::int64_t classes) {
  throw usage_error(fmt::format("{}: {} classes for {}; give one for each of its {} rows",
                                operation, classes, of.dims.text(), of.dims.rows()));
}

}  // namespace headroom::kernels
