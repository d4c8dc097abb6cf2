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
#include <vector>

#include "block.hpp"
#include "ledger.hpp"
#include "pending_blocks.hpp"
#include "pool.hpp"
#include "record_store.hpp"

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
  [[nodiscard]] block_place place_of(const allocation& live) const;
  [[nodiscard]] const allocator_settings& settings() const { return settings_; }

 private:
  // engine.cpp: handing out and taking back
  [[nodiscard]] block* cached(pool& from, bytes size);
  [[nodiscard]] bool splits(const pool& from, const block& found, bytes size) const;
  [[nodiscard]] block& cut(block& low, bytes size);
  void cache(block& added);
  block& make_free(block& freed);
  [[nodiscard]] bool merges(const block* low, const block* high) const;
  void join(block& low);
  void release(block& passed);
  void look_at_pending();

  // growth.cpp: taking from the driver and giving back
  [[nodiscard]] block* obtain(pool& from, bytes size);
  [[nodiscard]] block* grow(pool& from, bytes size);
  [[nodiscard]] block* take_segment(pool& from, bytes size);
  [[nodiscard]] segment& add_segment(void* address, bytes size, bytes page);
  void remove_segment(segment& gone);
  void collect_garbage();
  [[nodiscard]] bool give_back_oversize(pool& from, bytes size);
  void give_back_cached();
  void give_back_cached(pool& from);
  void give_back(block& whole);
  [[nodiscard]] out_of_memory_facts facts_of(bytes requested, bytes rounded, tag what) const;

  // expandable.cpp: segments whose memory is added and taken away
  [[nodiscard]] block* stretch(pool& from, bytes size);
  [[nodiscard]] block* room_for(pool& from, bytes size);
  [[nodiscard]] block* add_range(pool& from, bytes needed);
  [[nodiscard]] block* map(block& unmapped, bytes size);
  void unmap(block& cached);
  void set_unmapped(block& added);
  void forget_unmapped(block& gone);

  mutable std::mutex lock_;
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
  record_store<block> blocks_;
  record_store<segment> segments_;
  segment* oldest_ = nullptr;
  segment* newest_ = nullptr;
  std::uint64_t next_ordinal_ = 0;
  std::uint64_t next_place_ = 1;
};

}  // namespace headroom::caching
