// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "strategies.hpp"

namespace headroom::kernels {
namespace {

/// Keys and values in host memory. The device holds those of the layer that ran last.
class offloaded_cache final : public kv_cache {
 public:
  offloaded_cache(device& on, stream_id stream, const kv_cache_settings& settings)
      : kv_cache(on, stream, settings),
        host_(on.computes() ? counts_.size() : 0),
        resident_(settings.lengths.size()) {
    // Copies may still be queued from memory that would move if it grew.
    for (std::size_t i = 0; i < host_.size(); ++i) {
      const bytes most = settings.lengths[i % settings.lengths.size()] * row();
      host_[i].keys.resize(static_cast<std::size_t>(most.n));
      host_[i].values.resize(static_cast<std::size_t>(most.n));
    }
  }
  ~offloaded_cache() override { finish_copies(); }
  offloaded_cache(const offloaded_cache&) = delete;
  offloaded_cache& operator=(const offloaded_cache&) = delete;

  void append(std::int64_t layer, std::int64_t sequence, const kv_rows& fresh) override {
    std::int64_t& count = counts_[index(layer, sequence)];
    fetch(layer, sequence, count + fresh.count);
    const kv_buffers& own = resident_[static_cast<std::size_t>(sequence)];
    store_rows(device_, stream_, fresh, settings_.width(), own, count);
    if (device_.computes()) {
      host_rows& to = host_[index(layer, sequence)];
      const kv_rows made = rows_in(own, settings_.width(), settings_.type, count, fresh.count);
      const bytes behind = count * row();
      device_.copy_to_host(to.keys.data() + behind.n, made.keys, fresh.count * row(), stream_);
      device_.copy_to_host(to.values.data() + behind.n, made.values, fresh.count * row(), stream_);
    }
    count += fresh.count;
  }

  [[nodiscard]] kv_rows read(std::int64_t layer, std::int64_t sequence, std::int64_t first,
                             std::int64_t count, kv_scratch& /*scratch*/) override {
    const kv_buffers& own = resident_[static_cast<std::size_t>(sequence)];
    if (layer != layer_ || own.keys.address() == nullptr) {
      fetch(layer, sequence, tokens(layer, sequence));
    }
    return rows_in(own, settings_.width(), settings_.type, first, count);
  }

  [[nodiscard]] kv_cache_bytes held() const override {
    kv_cache_bytes sum;
    for (const kv_buffers& each : resident_) each.add_to(sum);
    for (const std::int64_t count : counts_) sum.host += 2 * (count * row());
    return sum;
  }

  void forget(std::int64_t sequence) override {
    kv_cache::forget(sequence);
    resident_[static_cast<std::size_t>(sequence)] = {};
  }

 private:
  struct host_rows {
    std::vector<std::byte> keys;
    std::vector<std::byte> values;
  };
  [[nodiscard]] bytes row() const { return settings_.width() * size_of(settings_.type); }

  /// Makes the layer resident for a sequence, with room for `rows`, and queues its tokens.
  void fetch(std::int64_t layer, std::int64_t sequence, std::int64_t rows) {
    if (layer != layer_) {
      for (kv_buffers& each : resident_) each = {};
      layer_ = layer;
    }
    kv_buffers& own = resident_[static_cast<std::size_t>(sequence)];
    own = {};
    own.keys = buffer(device_, rows * row(), tag::kv_cache, stream_);
    own.values = buffer(device_, rows * row(), tag::kv_cache, stream_);
    const bytes there = tokens(layer, sequence) * row();
    if (there == bytes{0} || !device_.computes()) return;
    const host_rows& from = host_[index(layer, sequence)];
    device_.copy_to_device(own.keys.address(), from.keys.data(), there, stream_);
    device_.copy_to_device(own.values.address(), from.values.data(), there, stream_);
  }

  std::vector<host_rows> host_;       // by layer, then sequence; empty where nothing is computed
  std::vector<kv_buffers> resident_;  // of layer_, by sequence
  std::int64_t layer_ = -1;
};

}  // namespace

std::unique_ptr<kv_cache> make_offloaded_cache(device& on, stream_id stream,
                                               const kv_cache_settings& settings) {
  return std::make_unique<offloaded_cache>(on, stream, settings);
}

}  // namespace headroom::kernels
