// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/copy_rows.hpp>

#include "strategies.hpp"

namespace headroom::kernels {
namespace {

/// Keys and values in tensors as long as their sequence: each step makes them anew.
class growing_cache final : public kv_cache {
 public:
  growing_cache(device& on, stream_id stream, const kv_cache_settings& settings)
      : kv_cache(on, stream, settings), held_(counts_.size()) {}

  void append(std::int64_t layer, std::int64_t sequence, const kv_rows& fresh) override {
    kv_buffers& own = held_[index(layer, sequence)];
    const std::int64_t there = tokens(layer, sequence);
    grow(own.keys, there, fresh.keys, fresh);
    grow(own.values, there, fresh.values, fresh);
    counts_[index(layer, sequence)] = there + fresh.count;
  }

  [[nodiscard]] kv_rows read(std::int64_t layer, std::int64_t sequence, std::int64_t first,
                             std::int64_t count, kv_scratch& /*scratch*/) override {
    return rows_in(held_[index(layer, sequence)], settings_.width(), settings_.type, first, count);
  }

  [[nodiscard]] kv_cache_bytes held() const override {
    kv_cache_bytes sum;
    for (const kv_buffers& each : held_) each.add_to(sum);
    return sum;
  }

  void forget(std::int64_t sequence) override {
    kv_cache::forget(sequence);
    for (std::int64_t i = 0; i < settings_.layers; ++i) held_[index(i, sequence)] = {};
  }

 private:
  void grow(buffer& own, std::int64_t there, void* fresh, const kv_rows& rows) {
    const std::int64_t width = settings_.width();
    const bytes row = width * size_of(settings_.type);
    buffer longer(device_, (there + rows.count) * row, tag::kv_cache, stream_);
    if (there > 0) device_.copy_on_device(longer.address(), own.address(), there * row, stream_);
    void* const behind = static_cast<std::byte*>(longer.address()) + (there * row).n;
    copy_rows(device_, stream_, half_of(fresh, rows, width, rows.leading),
              half_of(behind, rows, width, width));
    own = std::move(longer);
  }

  std::vector<kv_buffers> held_;  // by layer, then sequence
};

}  // namespace

std::unique_ptr<kv_cache> make_growing_cache(device& on, stream_id stream,
                                             const kv_cache_settings& settings) {
  return std::make_unique<growing_cache>(on, stream, settings);
}

}  // namespace headroom::kernels
