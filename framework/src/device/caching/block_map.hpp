// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "ordered_trees.hpp"

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
/// Twelve blocks share a cache line, at four bytes each, so that what a free touches, the block and
/// its neighbours, is mostly one line. Lines move blocks to new lines when they are full: a line's
/// number is a hint where a block is, and a tree finds it where the hint is out of date.
class block_map {
 public:
  /// Where a block stands; good until the next change of the map.
  struct cursor {
    std::uint32_t line = 0;  ///< 0: nowhere
    std::uint32_t slot = 0;
    explicit operator bool() const { return line != 0; }
  };

  block_map();

  /// A first block behind all others. @pre place is behind all others
  cursor append(std::uint64_t place, block_state state);
  /// Behind the block `at`, which stays where it is or moves along: both are returned.
  struct two_cursors {
    cursor low;
    cursor high;
  };
  two_cursors insert_after(cursor at, std::uint64_t place, block_state state) {
    line& here = line_at(at.line);
    const std::uint64_t distance = place - here.base;
    const cursor high{at.line, at.slot + 1};
    // Behind a line's last block the place may already belong to the next line.
    if (here.entries[slots - 1] != none || here.entries[high.slot] == none || distance >= reach) {
      return insert_deep(at, place, state);
    }
    shift_in(here, high.slot, entry_of(distance, state));
    return {at, high};
  }
  void erase(cursor gone) {
    line& from = line_at(gone.line);
    shift_out(from, gone.slot);
    if (from.entries[0] == none) remove(gone.line);
  }

  /// The block that begins at the place; nowhere if none does.
  /// @param hint the number of any line, best of the one where the block was
  [[nodiscard]] cursor find(std::uint64_t place, std::uint32_t hint) const {
    const cursor near = find_in(hint, place);
    return near ? near : find_far(place, hint);
  }
  [[nodiscard]] cursor next(cursor of) const {
    const line& here = line_at(of.line);
    if (of.slot + 1 < slots && here.entries[of.slot + 1] != none) return {of.line, of.slot + 1};
    return {here.next, 0};
  }
  [[nodiscard]] cursor previous(cursor of) const {
    if (of.slot > 0) return {of.line, of.slot - 1};
    const std::uint32_t before = line_at(of.line).previous;
    if (before == 0) return {};
    return {before, count_below(line_at(before), none) - 1};
  }

  [[nodiscard]] std::uint64_t place(cursor of) const {
    const line& here = line_at(of.line);
    return here.base + static_cast<std::uint64_t>(here.entries[of.slot] >> state_bits);
  }
  [[nodiscard]] block_state state(cursor of) const {
    return static_cast<block_state>(line_at(of.line).entries[of.slot] & state_mask);
  }
  void set_state(cursor of, block_state state) {
    std::int32_t& entry = line_at(of.line).entries[of.slot];
    entry = (entry & ~state_mask) | static_cast<std::int32_t>(state);
  }

 private:
  using lines_type = ordered_trees<std::uint64_t, 256>;
  static constexpr std::uint32_t slots = 12;
  static constexpr int state_bits = 3;
  static constexpr std::int32_t state_mask = (1 << state_bits) - 1;
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  /// How far a line reaches from its base, exclusive.
  static constexpr std::uint64_t reach = std::uint64_t{1} << (31 - state_bits);
  static constexpr std::size_t chunk_size = 1024;

  struct alignas(64) line {
    std::uint64_t base = 0;  ///< no block of the line begins in front of this
    std::uint32_t previous = 0;
    std::uint32_t next = 0;
    std::int32_t entries[slots];  ///< (place - base) and state, ascending; behind the last: none
  };
  static_assert(sizeof(line) == 64);

  [[nodiscard]] line& line_at(std::uint32_t id) {
    return chunks_[id / chunk_size][id % chunk_size];
  }
  [[nodiscard]] const line& line_at(std::uint32_t id) const {
    return chunks_[id / chunk_size][id % chunk_size];
  }
  [[nodiscard]] static std::int32_t entry_of(std::uint64_t distance, block_state state) {
    return static_cast<std::int32_t>(distance << state_bits) | static_cast<std::int32_t>(state);
  }
  /// How many entries are below `value`, without a branch.
  [[nodiscard]] static std::uint32_t count_below(const line& in, std::int32_t value) {
    typedef std::int32_t four __attribute__((vector_size(16)));
    const auto* const all = reinterpret_cast<const four*>(in.entries);
    const four sum = (all[0] < value) + (all[1] < value) + (all[2] < value);
    return static_cast<std::uint32_t>(-(sum[0] + sum[1] + sum[2] + sum[3]));
  }
  [[nodiscard]] cursor find_in(std::uint32_t id, std::uint64_t place) const {
    const line& here = line_at(id);
    const std::uint64_t distance = place - here.base;
    if (distance >= reach) return {};
    const std::int32_t least = entry_of(distance, {});
    const std::uint32_t slot = count_below(here, least);
    if (slot == slots || (here.entries[slot] & ~state_mask) != least) return {};
    return {id, slot};
  }
  [[nodiscard]] cursor find_far(std::uint64_t place, std::uint32_t hint) const;
  std::uint32_t make(std::uint64_t base, std::uint32_t behind);
  std::uint32_t split(std::uint32_t full);
  /// Loops rather than library calls: there are a few entries to move.
  static void shift_in(line& into, std::uint32_t slot, std::int32_t entry) {
    for (std::uint32_t i = slots - 1; i > slot; --i) into.entries[i] = into.entries[i - 1];
    into.entries[slot] = entry;
  }
  static void shift_out(line& from, std::uint32_t slot) {
    for (std::uint32_t i = slot; i + 1 < slots; ++i) from.entries[i] = from.entries[i + 1];
    from.entries[slots - 1] = none;
  }
  two_cursors insert_deep(cursor at, std::uint64_t place, block_state state);
  void remove(std::uint32_t empty);

  std::vector<std::unique_ptr<line[]>> chunks_;
  std::vector<std::uint32_t> spare_;
  std::uint32_t last_ = 0;
  lines_type trees_;
  lines_type::root lines_ = nullptr;  ///< lines by their bases
};

}  // namespace headroom::caching
