// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom_kernels/ops/paged_rows.hpp>

#include "strategies.hpp"

namespace headroom::kernels {
namespace {

/// Keys and values in blocks of one pool, taken when the cache is made; a sequence has a block when
/// its first token comes. Block n is block n of each layer's pool. Read, rows are gathered into the
/// scratch.
class paged_cache final : public kv_cache {
 public:
  paged_cache(device& on, stream_id stream, const kv_cache_settings& settings)
      : kv_cache(on, stream, settings) {
    const std::int64_t blocks =
        settings.blocks > 0 ? settings.blocks : blocks_needed(settings.request());
    for (const std::int64_t each : settings.lengths) longest_ = std::max(longest_, blocks_of(each));
    const bytes pool = blocks * settings.block_tokens * settings.width() * size_of(settings.type);
    for (std::int64_t layer = 0; layer < settings.layers; ++layer) {
      kv_buffers& own = pools_.emplace_back();
      own.keys = buffer(on, pool, tag::kv_cache, stream);
      own.values = buffer(on, pool, tag::kv_cache, stream);
    }
    const auto entries = static_cast<std::size_t>(longest_) * settings.lengths.size();
    table_ = buffer(on, bytes{static_cast<std::int64_t>(entries * sizeof(std::int32_t))},
                    tag::kv_cache, stream);
    host_table_.resize(entries);
    used_.resize(settings.lengths.size());
    for (std::int64_t i = blocks; i > 0; --i) free_.push_back(static_cast<std::int32_t>(i - 1));
  }
  ~paged_cache() override {
    try {
      device_.synchronize(stream_);  // copies from host_table_ may be under way
    } catch (...) {
      // A device that failed has no copy under way any more.
    }
  }
  paged_cache(const paged_cache&) = delete;
  paged_cache& operator=(const paged_cache&) = delete;

  void require_room(std::span<const std::int64_t> fresh) const override {
    kv_cache::require_room(fresh);
    std::int64_t wanted = 0;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const std::int64_t there = tokens(settings_.layers - 1, static_cast<std::int64_t>(i));
      if (fresh[i] > 0) wanted += blocks_of(there + fresh[i]) - used_[i];
    }
    const auto free = static_cast<std::int64_t>(free_.size());
    if (wanted <= free) return;
    throw usage_error(fmt::format(
        "the next step needs {} blocks of {} tokens and the pool has {} free; end a sequence, or "
        "give more blocks",
        wanted, settings_.block_tokens, free));
  }

  void append(std::int64_t layer, std::int64_t sequence, const kv_rows& fresh) override {
    std::int64_t& count = counts_[index(layer, sequence)];
    take_blocks(sequence, blocks_of(count + fresh.count));
    const kv_buffers& own = pools_[static_cast<std::size_t>(layer)];
    scatter_rows(device_, stream_, half_of(fresh.keys, fresh, settings_.width(), fresh.leading),
                 rows(own.keys, sequence), count);
    scatter_rows(device_, stream_, half_of(fresh.values, fresh, settings_.width(), fresh.leading),
                 rows(own.values, sequence), count);
    count += fresh.count;
  }

  [[nodiscard]] kv_rows read(std::int64_t layer, std::int64_t sequence, std::int64_t first,
                             std::int64_t count, kv_scratch& scratch) override {
    const kv_buffers& own = pools_[static_cast<std::size_t>(layer)];
    const kv_rows made =
        reserve(scratch, device_, stream_, count, settings_.width(), settings_.type);
    gather_rows(device_, stream_, rows(own.keys, sequence), first,
                half_of(made.keys, made, settings_.width(), made.leading));
    gather_rows(device_, stream_, rows(own.values, sequence), first,
                half_of(made.values, made, settings_.width(), made.leading));
    return made;
  }

  [[nodiscard]] kv_cache_bytes held() const override {
    kv_cache_bytes sum;
    for (const kv_buffers& each : pools_) each.add_to(sum);
    sum.add(table_.block());
    return sum;
  }

  void forget(std::int64_t sequence) override {
    kv_cache::forget(sequence);
    std::int64_t& used = used_[static_cast<std::size_t>(sequence)];
    while (used > 0) free_.push_back(host_table_[entry(sequence, --used)]);
  }

 private:
  [[nodiscard]] std::int64_t blocks_of(std::int64_t tokens) const {
    return (tokens + settings_.block_tokens - 1) / settings_.block_tokens;
  }
  [[nodiscard]] std::size_t entry(std::int64_t sequence, std::int64_t block) const {
    return static_cast<std::size_t>(sequence * longest_ + block);
  }
  [[nodiscard]] paged_rows rows(const buffer& pool, std::int64_t sequence) const {
    return {pool.address(), static_cast<const std::int32_t*>(table_.address()) + entry(sequence, 0),
            settings_.block_tokens};
  }

  /// Brings a sequence to that many blocks, and its part of the table to the device.
  void take_blocks(std::int64_t sequence, std::int64_t blocks) {
    std::int64_t& used = used_[static_cast<std::size_t>(sequence)];
    const std::int64_t first = used;
    if (blocks <= first) return;
    for (; used < blocks; ++used) {
      if (free_.empty()) {
        throw usage_error(fmt::format(
            "sequence {} needs block {} and the pool has none free; ask require_room before a step",
            sequence, used + 1));
      }
      host_table_[entry(sequence, used)] = free_.back();
      free_.pop_back();
    }
    const std::size_t from = entry(sequence, first);
    device_.copy_to_device(static_cast<std::int32_t*>(table_.address()) + from,
                           host_table_.data() + from,
                           (blocks - first) * bytes{sizeof(std::int32_t)}, stream_);
  }

  std::vector<kv_buffers> pools_;  // one a layer
  buffer table_;                   // int32, [sequences, longest_]
  std::vector<std::int32_t> host_table_;
  std::vector<std::int64_t> used_;  // blocks of each sequence
  std::vector<std::int32_t> free_;  // the next one last
  std::int64_t longest_ = 0;
};

}  // namespace

std::unique_ptr<kv_cache> make_paged_cache(device& on, stream_id stream,
                                           const kv_cache_settings& settings) {
  return std::make_unique<paged_cache>(on, stream, settings);
}

}  // namespace headroom::kernels
