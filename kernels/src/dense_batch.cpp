// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom_kernels/dense_batch.hpp>
#include <headroom_kernels/ops/convert.hpp>
#include <headroom_kernels/ops/fill.hpp>

namespace headroom::kernels {
namespace {

constexpr bytes class_size{sizeof(std::int32_t)};

void* behind(void* address, bytes size) { return static_cast<std::byte*>(address) + size.n; }

}  // namespace

dense_batch::dense_batch(device& on, stream_id stream, const dense_shape& microbatch,
                         std::int64_t microbatches, loss_kind loss, std::uint64_t seed,
                         std::int64_t part)
    : microbatch_(microbatch.activation()), microbatches_(microbatches) {
  const shape all{{"microbatches", microbatches},
                  {"batch", microbatch.batch},
                  {"context", microbatch.context},
                  {"width", microbatch.width}};
  terms_ = loss_terms(loss, all);
  inputs_ = tensor(on, stream, all, microbatch.type, tag::inputs);
  fill_uniform(on, stream, inputs_, seed, 1.0F, part * all.elements());
  if (loss == loss_kind::cross_entropy) {
    bytes size;
    if (!checked_multiply(all.rows(), class_size.n, size.n)) {
      throw usage_error(
          fmt::format("the classes of {} do not fit 64 bits; make an axis smaller", all.text()));
    }
    classes_ = buffer(on, size, tag::inputs, stream);
    largest_of_rows(on, stream, inputs_,
                    {static_cast<std::int32_t*>(classes_.address()), all.rows()});
  } else {
    values_ = tensor(on, stream, all, microbatch.type, tag::inputs);
    convert(on, stream, inputs_, values_);
  }
}

tensor_view dense_batch::part(const tensor& of, std::int64_t which) const {
  return {behind(of.address(), which * storage_of(microbatch_, of.type())), microbatch_, of.type()};
}

tensor_view dense_batch::input(std::int64_t which) const { return part(inputs_, which); }

loss_target dense_batch::target(std::int64_t which) const {
  if (values_.address() != nullptr) return {{}, part(values_, which)};
  const std::int64_t rows = microbatch_.rows();
  void* const own = behind(classes_.address(), which * rows * class_size);
  return {{static_cast<std::int32_t*>(own), rows}, {}};
}

}  // namespace headroom::kernels
