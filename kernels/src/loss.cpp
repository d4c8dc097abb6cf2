// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom_kernels/loss.hpp>

namespace headroom::kernels {

std::string_view name_of(loss_kind kind) {
  return kind == loss_kind::cross_entropy ? "cross_entropy" : "mean_squared_error";
}

loss_kind loss_from_name(std::string_view name) {
  for (const loss_kind kind : {loss_kind::cross_entropy, loss_kind::mean_squared_error}) {
    if (name == name_of(kind)) return kind;
  }
  throw usage_error(fmt::format(
      "there is no loss {}; write \"cross_entropy\" or \"mean_squared_error\"", quoted_text(name)));
}

std::int64_t loss_terms(loss_kind kind, const shape& y) {
  return kind == loss_kind::cross_entropy ? y.rows() : y.elements();
}

std::optional<float> loss_with_gradient(device& on, stream_id stream, loss_kind kind,
                                        const tensor_view& y, const loss_target& target,
                                        std::int64_t terms) {
  const tensor rows(on, stream, {{"rows", y.dims.rows()}}, dtype::float32, tag::temporary);
  const tensor sum(on, stream, {{"sum", 1}}, dtype::float32, tag::temporary);
  const float scale = 1.0F / static_cast<float>(terms);
  if (kind == loss_kind::cross_entropy) {
    softmax_cross_entropy(on, stream, y, target.classes, scale, rows);
  } else {
    squared_error(on, stream, y, target.values, scale, rows);
  }
  sum_elements(on, stream, rows, sum);
  if (!on.computes()) return std::nullopt;
  float value = 0.0F;
  on.copy_to_host(&value, sum.address(), sum.size(), stream);
  on.synchronize(stream);
  return value;
}

}  // namespace headroom::kernels
