// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom_kernels/ops/paged_rows.hpp>

#include "strategies.hpp"

namespace headroom::kernels {
namespace {

constexpr bytes block_number{sizeof(std::int32_t)};

/// Keys and values in blocks of one pool, taken when the cache is made; a sequence has a block when
/// its first token comes. Block n is block n of each layer's pool. Sequences that share a prefix
/// have the same blocks; one that goes on in a block which others have too takes a copy of it.
/// Read, rows are gathered into the scratch.
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
    owners_.resize(static_cast<std::size_t>(blocks));
    for (std::int64_t i = blocks; i > 0; --i) free_.push_back(static_cast<std::int32_t>(i - 1));
  }
  ~paged_cache() override { finish_copies(); }  // from host_table_
  paged_cache(const paged_cache&) = delete;
  paged_cache& operator=(const paged_cache&) = delete;

  void require_room(std::span<const std::int64_t> fresh) const override {
    kv_cache::require_room(fresh);
    std::int64_t wanted = 0;
    std::vector<std::int32_t> owners = owners_;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (fresh[i] == 0) continue;
      const auto sequence = static_cast<std::int64_t>(i);
      const std::int64_t there = tokens(settings_.layers - 1, sequence);
      wanted += blocks_of(there + fresh[i]) - used_[i];
      if (there % settings_.block_tokens == 0) continue;
      // All but the last of its owners copy the block that they go on in.
      if (std::int32_t& left = owners[number(sequence, there)]; left > 1) {
        --left;
        ++wanted;
      }
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
    if (count % settings_.block_tokens > 0) make_own(sequence, count);
    take_blocks(sequence, blocks_of(count + fresh.count));
    const kv_buffers& own = pools_[static_cast<std::size_t>(layer)];
    scatter_rows(device_, stream_, half_of(fresh.keys, fresh, settings_.width(), fresh.leading),
                 rows(own.keys, sequence), count);
    scatter_rows(device_, stream_, half_of(fresh.values, fresh, settings_.width(), fresh.leading),
                 rows(own.values, sequence), count);
    count += fresh.count;
  }

  void share(std::int64_t from, std::int64_t to, std::int64_t tokens) override {
    check_share(from, to, tokens);
    const std::int64_t blocks = blocks_of(tokens);
    for (std::int64_t i = 0; i < blocks; ++i) {
      host_table_[entry(to, i)] = host_table_[entry(from, i)];
      ++owners_[static_cast<std::size_t>(host_table_[entry(to, i)])];
    }
    used_[static_cast<std::size_t>(to)] = blocks;
    auto* const table = static_cast<std::int32_t*>(table_.address());
    device_.copy_on_device(table + entry(to, 0), table + entry(from, 0), blocks * block_number,
                           stream_);
    for (std::int64_t layer = 0; layer < settings_.layers; ++layer) {
      counts_[index(layer, to)] = tokens;
    }
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
    device_.synchronize(stream_);  // copies from the entries may be under way
    std::int64_t& used = used_[static_cast<std::size_t>(sequence)];
    while (used > 0) {
      const std::int32_t block = host_table_[entry(sequence, --used)];
      if (--owners_[static_cast<std::size_t>(block)] == 0) free_.push_back(block);
    }
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

  /// The block that holds a token, as an index.
  [[nodiscard]] std::size_t number(std::int64_t sequence, std::int64_t token) const {
    return static_cast<std::size_t>(host_table_[entry(sequence, token / settings_.block_tokens)]);
  }

  /// Brings a sequence to that many blocks, and its part of the table to the device.
  void take_blocks(std::int64_t sequence, std::int64_t blocks) {
    std::int64_t& used = used_[static_cast<std::size_t>(sequence)];
    const std::int64_t first = used;
    if (blocks <= first) return;
    for (; used < blocks; ++used) host_table_[entry(sequence, used)] = take(sequence, used);
    publish(entry(sequence, first), blocks - first);
  }
  [[nodiscard]] std::int32_t take(std::int64_t sequence, std::int64_t place) {
    if (free_.empty()) {
      throw usage_error(fmt::format(
          "sequence {} needs block {} and the pool has none free; ask require_room before a step",
          sequence, place + 1));
    }
    const std::int32_t block = free_.back();
    free_.pop_back();
    owners_[static_cast<std::size_t>(block)] = 1;
    return block;
  }
  void publish(std::size_t from, std::int64_t entries) {
    device_.copy_to_device(static_cast<std::int32_t*>(table_.address()) + from,
                           host_table_.data() + from, entries * block_number, stream_);
  }

  /// Gives a sequence a block of its own in place of one that others have too: with the rows, in
  /// all layers, that stand before the token that it goes on with.
  void make_own(std::int64_t sequence, std::int64_t token) {
    const std::size_t shared = number(sequence, token);
    if (owners_[shared] == 1) return;
    const std::int64_t place = token / settings_.block_tokens;
    const std::int32_t own = take(sequence, place);
    --owners_[shared];
    device_.synchronize(stream_);  // a copy from the entry may be under way
    host_table_[entry(sequence, place)] = own;
    publish(entry(sequence, place), 1);
    const bytes row = settings_.width() * size_of(settings_.type);
    const std::int64_t block = settings_.block_tokens * row.n;
    const bytes rows = token % settings_.block_tokens * row;
    for (const kv_buffers& each : pools_) {
      for (const buffer* half : {&each.keys, &each.values}) {
        auto* const pool = static_cast<std::byte*>(half->address());
        device_.copy_on_device(pool + own * block, pool + static_cast<std::int64_t>(shared) * block,
                               rows, stream_);
      }
    }
  }

  void check_share(std::int64_t from, std::int64_t to, std::int64_t count) const {
    const auto sequences = static_cast<std::int64_t>(settings_.lengths.size());
    const auto known = [&](std::int64_t each) { return each >= 0 && each < sequences; };
    if (!known(from) || !known(to) || from == to) {
      throw usage_error(
          fmt::format("sequence {} is to share with sequence {} of {}; give two different ones", to,
                      from, sequences));
    }
    const std::int64_t last = settings_.layers - 1;
    if (used_[static_cast<std::size_t>(to)] > 0) {
      throw usage_error(fmt::format(
          "sequence {} has {} tokens and is to share others; end it before", to, tokens(last, to)));
    }
    const std::int64_t most =
        std::min(tokens(last, from), settings_.lengths[static_cast<std::size_t>(to)]);
    if (count < 1 || count > most) {
      throw usage_error(
          fmt::format("sequence {} is to share {} tokens with sequence {}; give 1 to {}", to, count,
                      from, most));
    }
  }

  std::vector<kv_buffers> pools_;  // one a layer
  buffer table_;                   // int32, [sequences, longest_]
  std::vector<std::int32_t> host_table_;
  std::vector<std::int64_t> used_;    // blocks of each sequence
  std::vector<std::int32_t> owners_;  // sequences that have a block, for each of the pool
  std::vector<std::int32_t> free_;    // the next one last
  std::int64_t longest_ = 0;
};

}  // namespace

std::unique_ptr<kv_cache> make_paged_cache(device& on, stream_id stream,
                                           const kv_cache_settings& settings) {
  return std::make_unique<paged_cache>(on, stream, settings);
}

}  // namespace headroom::kernels
