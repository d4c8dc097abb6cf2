// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/kv_cache.hpp>
#include <memory>

namespace headroom::kernels {

// clang-format off
[[nodiscard]] std::unique_ptr<kv_cache> make_growing_cache(device& on, stream_id stream, const kv_cache_settings& settings);
[[nodiscard]] std::unique_ptr<kv_cache> make_fixed_cache(device& on, stream_id stream, const kv_cache_settings& settings);
[[nodiscard]] std::unique_ptr<kv_cache> make_window_cache(device& on, stream_id stream, const kv_cache_settings& settings);
[[nodiscard]] std::unique_ptr<kv_cache> make_quantized_cache(device& on, stream_id stream, const kv_cache_settings& settings);
[[nodiscard]] std::unique_ptr<kv_cache> make_offloaded_cache(device& on, stream_id stream, const kv_cache_settings& settings);
[[nodiscard]] std::unique_ptr<kv_cache> make_paged_cache(device& on, stream_id stream, const kv_cache_settings& settings);
// clang-format on

/// Memory for keys and values of one layer and sequence.
struct kv_buffers {
  buffer keys;
  buffer values;

  void add_to(kv_cache_bytes& sum) const {
    sum.add(keys.block());
    sum.add(values.block());
  }
};

/// One of the two halves of rows, as copy_rows takes it.
[[nodiscard]] inline matrix_view half_of(void* address, const kv_rows& rows, std::int64_t width,
                                         std::int64_t leading) {
  return {address, rows.count, width, leading, rows.type, false};
}

/// Queues the copy of fresh rows to row `at` of memory whose rows lie side by side.
void store_rows(device& on, stream_id stream, const kv_rows& fresh, std::int64_t width,
                const kv_buffers& into, std::int64_t at);

/// Rows [first, first + count) of memory whose rows lie side by side.
[[nodiscard]] kv_rows rows_in(const kv_buffers& from, std::int64_t width, dtype type,
                              std::int64_t first, std::int64_t count);

/// Makes the scratch hold `count` rows. @return the rows @throws out_of_memory
kv_rows reserve(kv_scratch& scratch, device& on, stream_id stream, std::int64_t count,
                std::int64_t width, dtype type);

}  // namespace headroom::kernels
