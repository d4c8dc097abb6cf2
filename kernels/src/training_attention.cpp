// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "training_attention.hpp"

#include "fresh_keys.hpp"

namespace headroom::kernels {
namespace {

void* element(const tensor& of, std::int64_t index) {
  return static_cast<std::byte*>(of.address()) + index * size_of(of.type()).n;
}

attention_settings settings_of(const decoder_shape& dims,
                               const decoder_training_settings& settings) {
  return {dims.heads, dims.kv_heads, dims.head_dim, dims.type, settings.form};
}

/// Queries, keys and values of one sequence.
struct sequence_rows {
  attention_queries queries;
  kv_rows keys;
};
sequence_rows rows_of(const decoder_shape& dims, std::int64_t context, const tensor& projected,
                      std::int64_t first) {
  const std::int64_t leading = dims.projections();
  const std::int64_t at = first * leading;
  sequence_rows made;
  made.queries.address = element(projected, at);
  made.queries.count = context;
  made.queries.leading = leading;
  made.keys = {element(projected, at + dims.queries()),
               element(projected, at + dims.queries() + dims.keys()), context, leading, dims.type};
  return made;
}

}  // namespace

void turn_rows(device& on, stream_id stream, const decoder_shape& dims,
               const decoder_training_settings& settings, const tensor& projected, rotation way) {
  for (std::int64_t i = 0; i < settings.batch; ++i) {
    const std::int64_t at = i * settings.context * dims.projections();
    rotary(on, stream,
           {element(projected, at), settings.context, dims.projections(),
            dims.heads + dims.kv_heads, dims.head_dim, dims.type},
           0, dims.rotary_base, way);
  }
}

void attend_sequences(device& on, stream_id stream, matrix_library& products,
                      const decoder_shape& dims, const decoder_training_settings& settings,
                      const tensor& projected, const tensor& into) {
  for (std::int64_t i = 0; i < settings.batch; ++i) {
    const std::int64_t first = i * settings.context;
    sequence_rows rows = rows_of(dims, settings.context, projected, first);
    rows.queries.result = element(into, first * dims.queries());
    rows.queries.result_leading = dims.queries();
    fresh_keys keys(rows.keys);
    attend(on, stream, products, settings_of(dims, settings), rows.queries, keys);
  }
}

void attend_sequences_backward(device& on, stream_id stream, matrix_library& products,
                               const decoder_shape& dims, const decoder_training_settings& settings,
                               const tensor& projected, const tensor& dy,
                               const tensor& dprojected) {
  for (std::int64_t i = 0; i < settings.batch; ++i) {
    const std::int64_t first = i * settings.context;
    const sequence_rows rows = rows_of(dims, settings.context, projected, first);
    const sequence_rows gradients = rows_of(dims, settings.context, dprojected, first);
    attend_backward(on, stream, products, settings_of(dims, settings), rows.queries, rows.keys,
                    {element(dy, first * dims.queries()), gradients.queries.address,
                     gradients.keys.keys, gradients.keys.values, dims.projections()});
  }
}

}  // namespace headroom::kernels
