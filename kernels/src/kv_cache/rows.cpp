// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/copy_rows.hpp>

#include "strategies.hpp"

namespace headroom::kernels {

kv_rows rows_in(const kv_buffers& from, std::int64_t width, dtype type, std::int64_t first,
                std::int64_t count) {
  const kv_rows all{from.keys.address(), from.values.address(), 0, width, type};
  return part_of(all, first, count);
}

void store_rows(device& on, stream_id stream, const kv_rows& fresh, std::int64_t width,
                const kv_buffers& into, std::int64_t at) {
  const kv_rows target = rows_in(into, width, fresh.type, at, fresh.count);
  copy_rows(on, stream, half_of(fresh.keys, fresh, width, fresh.leading),
            half_of(target.keys, fresh, width, width));
  copy_rows(on, stream, half_of(fresh.values, fresh, width, fresh.leading),
            half_of(target.values, fresh, width, width));
}

kv_rows reserve(kv_scratch& scratch, device& on, stream_id stream, std::int64_t count,
                std::int64_t width, dtype type) {
  if (scratch.keys.dims().rows() < count) {
    scratch = {};
    const shape dims{{"tokens", count}, {"width", width}};
    scratch.keys = tensor(on, stream, dims, type, tag::workspace);
    scratch.values = tensor(on, stream, dims, type, tag::workspace);
  }
  return {scratch.keys.address(), scratch.values.address(), count, width, type};
}

}  // namespace headroom::kernels
