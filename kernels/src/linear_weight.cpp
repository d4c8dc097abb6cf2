// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom_kernels/linear_weight.hpp>

namespace headroom::kernels {

std::string_view name_of(weight_format format) {
  switch (format) {
    case weight_format::plain:
      return "plain";
    case weight_format::int8:
      return "int8";
    case weight_format::int4:
      return "int4";
  }
  return "";
}

weight_format weight_format_from_name(std::string_view name) {
  for (const weight_format each :
       {weight_format::plain, weight_format::int8, weight_format::int4}) {
    if (name == name_of(each)) return each;
  }
  throw usage_error(
      fmt::format("there is no storage of weights {}; write \"plain\", \"int8\" or "
                  "\"int4\"",
                  quoted_text(name)));
}

linear_weight::linear_weight(device& on, stream_id stream, const shape& dims, dtype type,
                             const weight_storage& storage)
    : dims_(dims), type_(type), storage_(storage) {
  if (storage.format == weight_format::plain) {
    plain_ = tensor(on, stream, dims, type, tag::weights);
    return;
  }
  if (dims.width() % 2 != 0 || storage.group < 1) {
    throw usage_error(fmt::format(
        "a packed weight of {} in groups of {}; give an even number of outputs and a group of 1 or "
        "more",
        dims.text(), storage.group));
  }
  const std::int64_t numbers = dims.elements();
  const std::int64_t groups = ((dims.rows() - 1) / storage.group + 1) * dims.width();
  const bytes size{storage.format == weight_format::int8 ? numbers : numbers / 2};
  numbers_ = buffer(on, size, tag::weights, stream);
  scales_ = buffer(on, groups * size_of(dtype::bfloat16), tag::weights, stream);
  zeros_ = buffer(on, bytes{groups}, tag::weights, stream);
}

packed_weight linear_weight::packed() const {
  return {static_cast<std::uint8_t*>(numbers_.address()), static_cast<bfloat16*>(scales_.address()),
          static_cast<std::uint8_t*>(zeros_.address()),
          storage_.format == weight_format::int8 ? 8 : 4, storage_.group};
}

void linear_weight::store(device& on, stream_id stream, const tensor_view& from) const {
  if (storage_.format != weight_format::plain) {
    pack_weight(on, stream, from, packed());
  } else if (from.type == type_ && from.dims == dims_) {
    on.copy_on_device(plain_.address(), from.address, plain_.size(), stream);
  } else {
    throw usage_error(
        fmt::format("a weight of {} {} to be stored as {} {}; give one shape and type",
                    name_of(from.type), from.dims.text(), name_of(type_), dims_.text()));
  }
}

void linear_weight::multiply(device& on, stream_id stream, matrix_library& products,
                             const matrix_view& x, float beta, const matrix_view& y) const {
  if (storage_.format == weight_format::plain) {
    products.multiply(1.0F, x, matrix_of(plain_), beta, y);
    return;
  }
  const tensor written(on, stream, dims_, type_, tag::workspace);
  unpack_weight(on, stream, packed(), written);
  products.multiply(1.0F, x, matrix_of(written), beta, y);
}

}  // namespace headroom::kernels
