// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "block_row.hpp"
#include "large_pages.hpp"
#include "ordered_trees.hpp"
#include "segment_table.hpp"

namespace headroom::caching {

/// All blocks of all segments, in the order of their places: a place is a position, in units of 512
/// bytes, on a line on which segments lie in the order of their age. So neighbours of a block are
/// its neighbours here, and a block reaches to the next one.
///
/// A row holds up to 13 blocks of one segment, and what they have in common, in one cache line:
/// mostly the whole segment, so that a free touches one row for the block, its neighbours and their
/// pool. With a million blocks it is the memory touched that decides. A full row moves its upper
/// half to a new one behind: a row's number is a hint where a block is, and a tree finds it where
/// the hint is out of date.
class block_map {
  using row = block_row;

 public:
  /// Places lie below this: in 32 EiB of segments, those that were given back counted.
  static constexpr std::uint64_t place_bound = row::base_bound;

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

  /// A new segment, of one block. @pre place is behind all others, its end below place_bound
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
    const std::uint64_t distance = place - here.base();
    const cursor high{at.row, at.slot + 1};
    // Behind a row's last block the place may already belong to the next row.
    if (here.full() || !here.holds(high.slot) || distance >= row::reach) {
      return insert_deep(at, place, state);
    }
    here.insert(high.slot, distance, state);
    return {at, high};
  }
  void erase(cursor gone) {
    row& from = row_at(gone.row);
    from.erase(gone.slot);
    if (from.empty()) remove(gone.row);
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
    const cursor near = find_distance(hint, row_at(hint).distance_of(address));
    return near ? near : find_behind(address, hint);
  }
  [[nodiscard]] cursor next(cursor of) const {
    const row& here = row_at(of.row);
    if (here.holds(of.slot + 1)) return {of.row, of.slot + 1};
    return {here.next, 0};
  }
  [[nodiscard]] cursor previous(cursor of) const {
    if (of.slot > 0) return {of.row, of.slot - 1};
    const std::uint32_t before = row_at(of.row).previous;
    if (before == 0) return {};
    return {before, row_at(before).count() - 1};
  }

  [[nodiscard]] std::uint64_t place(cursor of) const {
    const row& here = row_at(of.row);
    return here.base() + here.distance(of.slot);
  }
  [[nodiscard]] void* address(cursor of) const {
    const row& here = row_at(of.row);
    return here.address + static_cast<std::int64_t>(here.distance(of.slot)) * unit.n;
  }
  [[nodiscard]] std::uint32_t segment(cursor of) const { return row_at(of.row).segment; }
  [[nodiscard]] std::uint32_t owner(cursor of) const { return row_at(of.row).owner; }
  [[nodiscard]] block_state state(cursor of) const { return row_at(of.row).state(of.slot); }
  void set_state(cursor of, block_state state) { row_at(of.row).set_state(of.slot, state); }
  /// Begins to fetch a row that is likely to be asked for.
  void prefetch(std::uint32_t hint) const { __builtin_prefetch(&row_at(hint), 1); }

 private:
  using row_trees = ordered_trees<std::uint64_t, 256>;
  static constexpr std::size_t chunk_size = large_page / sizeof(row);

  [[nodiscard]] row& row_at(std::uint32_t id) const {
    return static_cast<row*>(chunks_[id / chunk_size].get())[id % chunk_size];
  }
  [[nodiscard]] cursor find_distance(std::uint32_t id, std::uint64_t distance) const {
    if (distance >= row::reach) return {};
    const row& here = row_at(id);
    const std::uint32_t slot = here.count_below(distance);
    if (slot == row::slots || here.distance(slot) != distance) return {};
    return {id, slot};
  }
  [[nodiscard]] cursor find_in(std::uint32_t id, std::uint64_t place) const {
    return find_distance(id, place - row_at(id).base());
  }
  [[nodiscard]] cursor find_behind(const void* address, std::uint32_t hint) const;
  [[nodiscard]] cursor find_far(std::uint64_t place, std::uint32_t hint) const;
  std::uint32_t make(std::uint64_t base);
  std::uint32_t make_behind(std::uint32_t before, std::uint64_t base);
  std::uint32_t split(std::uint32_t full);
  two_cursors insert_deep(cursor at, std::uint64_t place, block_state state);
  void remove(std::uint32_t empty);

  std::vector<pages> chunks_;
  std::uint32_t rows_made_ = 0;
  std::vector<std::uint32_t> spare_;
  row_trees trees_;
  row_trees::root rows_ = nullptr;  ///< rows by their bases
};

}  // namespace headroom::caching
