// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "large_pages.hpp"
#include "ordered_trees.hpp"
#include "segment_table.hpp"

namespace headroom::caching {

enum class block_state : std::uint8_t {
  live,      ///< handed out
  used,      ///< handed out, and another stream uses it too
  pending,   ///< freed, another stream still uses it
  free,      ///< cached
  unmapped,  ///< addresses of an expandable segment without memory
  edge       ///< no block: a segment ends here
};

/// All blocks of all segments, in the order of their places: a place is a position, in units of 512
/// bytes, on a line on which segments lie in the order of their age. So neighbours of a block are
/// its neighbours here, and a block reaches to the next one.
///
/// A row holds up to 24 blocks of one segment, at four bytes each, and what they have in common, in
/// two adjacent cache lines: mostly the whole segment, so that a free touches one row for the
/// block, its neighbours and their pool. A full row moves its upper half to a new one behind: a
/// row's number is a hint where a block is, and a tree finds it where the hint is out of date.
class block_map {
 public:
  /// Where a block stands; good until the next change of the map.
  struct cursor {
    std::uint32_t row = 0;  ///< 0: nowhere
    std::uint32_t slot = 0;
    explicit operator bool() const { return row != 0; }
  };
  /// What the blocks of a segment have in common.
  struct segment_facts {
    void* address = nullptr;
    std::uint32_t segment = 0;  ///< its number
    std::uint32_t owner = 0;    ///< its pool's number
  };

  block_map();

  /// A new segment, of one block. @pre place is behind all others
  cursor begin_segment(std::uint64_t place, std::uint64_t units, const segment_facts& facts,
                       block_state state);
  /// @pre the block is its segment's only one
  void end_segment(cursor only);

  /// Behind the block `at`, which stays where it is or moves along: both are returned.
  struct two_cursors {
    cursor low;
    cursor high;
  };
  two_cursors insert_after(cursor at, std::uint64_t place, block_state state) {
    row& here = row_at(at.row);
    const std::uint64_t distance = place - here.base;
    const cursor high{at.row, at.slot + 1};
    // Behind a row's last block the place may already belong to the next row.
    if (here.entries[slots - 1] != none || here.entries[high.slot] == none || distance >= reach) {
      return insert_deep(at, place, state);
    }
    shift_in(here, high.slot, entry_of(distance, state));
    return {at, high};
  }
  void erase(cursor gone) {
    row& from = row_at(gone.row);
    shift_out(from, gone.slot);
    if (from.entries[0] == none) remove(gone.row);
  }

  /// The block that begins at the place; nowhere if none does.
  /// @param hint the number of any row, best of the one where the block was
  [[nodiscard]] cursor find(std::uint64_t place, std::uint32_t hint) const {
    const cursor near = find_in(hint, place);
    return near ? near : find_far(place, hint);
  }
  /// The block that begins at the address; nowhere if it is not found near the hint.
  /// @param hint the number of the row where the block was
  [[nodiscard]] cursor find_near(const void* address, std::uint32_t hint) const {
    const cursor near = find_distance(hint, distance_of(row_at(hint), address));
    return near ? near : find_behind(address, hint);
  }
  [[nodiscard]] cursor next(cursor of) const {
    const row& here = row_at(of.row);
    if (of.slot + 1 < slots && here.entries[of.slot + 1] != none) return {of.row, of.slot + 1};
    return {here.next, 0};
  }
  [[nodiscard]] cursor previous(cursor of) const {
    if (of.slot > 0) return {of.row, of.slot - 1};
    const std::uint32_t before = row_at(of.row).previous;
    if (before == 0) return {};
    return {before, count_below(row_at(before), none) - 1};
  }

  [[nodiscard]] std::uint64_t place(cursor of) const {
    const row& here = row_at(of.row);
    return here.base + static_cast<std::uint64_t>(here.entries[of.slot] >> state_bits);
  }
  [[nodiscard]] void* address(cursor of) const {
    const row& here = row_at(of.row);
    return here.address + (here.entries[of.slot] >> state_bits) * unit.n;
  }
  [[nodiscard]] std::uint32_t segment(cursor of) const { return row_at(of.row).segment; }
  [[nodiscard]] std::uint32_t owner(cursor of) const { return row_at(of.row).owner; }
  [[nodiscard]] block_state state(cursor of) const {
    return static_cast<block_state>(row_at(of.row).entries[of.slot] & state_mask);
  }
  /// Begins to fetch a row that is likely to be asked for.
  void prefetch(std::uint32_t hint) const { __builtin_prefetch(&row_at(hint), 1); }
  void set_state(cursor of, block_state state) {
    std::int32_t& entry = row_at(of.row).entries[of.slot];
    entry = (entry & ~state_mask) | static_cast<std::int32_t>(state);
  }

 private:
  using row_trees = ordered_trees<std::uint64_t, 256>;
  static constexpr std::uint32_t slots = 24;
  static constexpr std::uint32_t near_slots = 8;  ///< in the cache line of the row's head
  static constexpr int state_bits = 3;
  static constexpr std::int32_t state_mask = (1 << state_bits) - 1;
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  /// How far a row reaches from its base, exclusive.
  static constexpr std::uint64_t reach = std::uint64_t{1} << (31 - state_bits);
  static constexpr std::size_t chunk_size = large_page / 128;

  struct alignas(128) row {
    std::uint64_t base = 0;      ///< no block of the row begins in front of this
    char* address = nullptr;     ///< of the base
    std::uint32_t previous = 0;  ///< of the same segment
    std::uint32_t next = 0;
    std::uint32_t segment = 0;
    std::uint32_t owner = 0;
    std::int32_t entries[slots];  ///< (place - base) and state, ascending; behind the last: none
  };
  static_assert(sizeof(row) == 128);

  [[nodiscard]] row& row_at(std::uint32_t id) const {
    return static_cast<row*>(chunks_[id / chunk_size].get())[id % chunk_size];
  }
  [[nodiscard]] static std::int32_t entry_of(std::uint64_t distance, block_state state) {
    return static_cast<std::int32_t>(distance << state_bits) | static_cast<std::int32_t>(state);
  }
  [[nodiscard]] static std::uint64_t distance_of(const row& in, const void* address) {
    const std::uint64_t offset =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(in.address);
    return offset / static_cast<std::uint64_t>(unit.n);
  }
  /// How many entries are below `value`. The first of the two cache lines is enough for most.
  [[nodiscard]] static std::uint32_t count_below(const row& in, std::int32_t value) {
    typedef std::int32_t four __attribute__((vector_size(16)));
    const auto* const all = reinterpret_cast<const four*>(in.entries);
    four sum = (all[0] < value) + (all[1] < value);
    if (in.entries[near_slots - 1] < value) {
      sum += (all[2] < value) + (all[3] < value) + (all[4] < value) + (all[5] < value);
    }
    return static_cast<std::uint32_t>(-(sum[0] + sum[1] + sum[2] + sum[3]));
  }
  [[nodiscard]] cursor find_distance(std::uint32_t id, std::uint64_t distance) const {
    if (distance >= reach) return {};
    const row& here = row_at(id);
    const std::int32_t least = entry_of(distance, {});
    const std::uint32_t slot = count_below(here, least);
    if (slot == slots || (here.entries[slot] & ~state_mask) != least) return {};
    return {id, slot};
  }
  [[nodiscard]] cursor find_in(std::uint32_t id, std::uint64_t place) const {
    return find_distance(id, place - row_at(id).base);
  }
  [[nodiscard]] cursor find_behind(const void* address, std::uint32_t hint) const;
  [[nodiscard]] cursor find_far(std::uint64_t place, std::uint32_t hint) const;
  std::uint32_t make(std::uint64_t base);
  std::uint32_t make_behind(std::uint32_t before, std::uint64_t base);
  std::uint32_t split(std::uint32_t full);
  /// Loops rather than library calls: there are a few entries to move.
  static void shift_in(row& into, std::uint32_t slot, std::int32_t entry) {
    for (std::uint32_t i = slots - 1; i > slot; --i) into.entries[i] = into.entries[i - 1];
    into.entries[slot] = entry;
  }
  static void shift_out(row& from, std::uint32_t slot) {
    for (std::uint32_t i = slot; i + 1 < slots; ++i) from.entries[i] = from.entries[i + 1];
    from.entries[slots - 1] = none;
  }
  two_cursors insert_deep(cursor at, std::uint64_t place, block_state state);
  void remove(std::uint32_t empty);

  std::vector<pages> chunks_;
  std::uint32_t rows_made_ = 0;
  std::vector<std::uint32_t> spare_;
  row_trees trees_;
  row_trees::root rows_ = nullptr;  ///< rows by their bases
};

}  // namespace headroom::caching
