// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/error.hpp>
#include <headroom/device/allocator.hpp>
#include <headroom/device/allocator_settings.hpp>
#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/segment_source.hpp>
#include <mutex>
#include <optional>

#include "block_map.hpp"
#include "engine_lock.hpp"
#include "free_index.hpp"
#include "ledger.hpp"
#include "pending_blocks.hpp"
#include "pool.hpp"
#include "segment_table.hpp"

namespace headroom::caching {

/// The rules of the caching allocator. Each public call takes the one lock.
class engine {
 public:
  engine(segment_source& source, stream_clock& clock, const allocator_settings& settings);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  [[nodiscard]] allocation allocate(bytes requested, stream_id stream, tag what);
  void deallocate(const allocation& freed) noexcept;
  void record_use(const allocation& used, stream_id stream);
  bytes empty_cache();
  void reset_peaks();
  [[nodiscard]] caching_statistics statistics() const;
  [[nodiscard]] std::vector<cached_pool> cached() const;
  [[nodiscard]] std::vector<held_block> blocks() const;
  [[nodiscard]] block_place place_of(const allocation& live) const;
  [[nodiscard]] const allocator_settings& settings() const { return settings_; }

 private:
  using cursor = block_map::cursor;
  /// A block and its size.
  struct piece {
    cursor at;  ///< nowhere: no block
    bytes size;
    explicit operator bool() const { return static_cast<bool>(at); }
  };

  // engine.cpp: handing out and taking back
  [[nodiscard]] piece cached(pool& from, bytes size);
  [[nodiscard]] bool splits(const pool& from, bytes found, bytes size) const;
  [[nodiscard]] cursor find(const free_block& of) const { return blocks_.find(of.place, of.row); }
  [[nodiscard]] cursor find_live(const allocation& handed) const;
  [[nodiscard]] bytes size_at(cursor at) const;
  piece make_free(piece freed);
  void cache(pool& owner, piece added);
  void release(const pending_block& passed);
  void look_at_pending();

  // growth.cpp: taking from the driver and giving back
  [[nodiscard]] piece obtain(pool& from, bytes size);
  [[nodiscard]] piece grow(pool& from, bytes size);
  [[nodiscard]] bool has_place_for(bytes size) const;
  [[nodiscard]] piece take_segment(pool& from, bytes size);
  [[nodiscard]] piece add_segment(pool& to, void* address, bytes size, bytes page,
                                  block_state state);
  void remove_segment(cursor only);
  [[nodiscard]] segment& home_of(const free_block& of) {
    return segments_[blocks_.segment(find(of))];
  }
  void collect_garbage();
  [[nodiscard]] bool give_back_oversize(pool& from, bytes size);
  void give_back_cached();
  void give_back_cached(pool& from);
  void give_back(const free_block& whole);
  [[nodiscard]] out_of_memory_facts facts_of(bytes requested, bytes rounded, tag what) const;

  // expandable.cpp: segments whose memory is added and taken away
  [[nodiscard]] bytes reach_of(piece of) const;
  [[nodiscard]] piece stretch(pool& from, bytes size);
  [[nodiscard]] cursor room_for(pool& from, bytes size);
  [[nodiscard]] bool has_room(cursor from, bytes size) const;
  [[nodiscard]] cursor add_range(pool& to, bytes needed);
  [[nodiscard]] piece map(pool& in, cursor unmapped, bytes size);
  void unmap_cached(pool& in);
  void unmap(const free_block& cached);

  mutable engine_lock lock_;
  segment_source& source_;
  const allocator_settings settings_;
  const bytes max_split_;           ///< blocks of this size and above are not split
  const bytes max_over_;            ///< how much larger such a block may be than the request
  std::optional<bytes> allowed_;    ///< reserved may not exceed this
  std::optional<bytes> threshold_;  ///< reserved above this is collected
  std::uint64_t searches_ = 0;      ///< of the large pools; counted where garbage is collected
  ledger ledger_;
  pool_table pools_;
  pending_blocks pending_;
  block_map blocks_;
  segment_table segments_;
  std::uint64_t next_ordinal_ = 0;
  std::uint64_t next_place_ = 0;
};

}  // namespace headroom::caching
