// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "block_map.hpp"

#include <new>

namespace headroom::caching {

block_map::block_map() {
  // Row 0 stays empty, so that a hint of 0 finds nothing.
  make(0);
  trees_.erase(rows_, 0);
}

block_map::cursor block_map::begin_segment(std::uint64_t place, std::uint64_t units,
                                           const segment_facts& facts, block_state state) {
  const std::uint32_t id = make(place);
  row& made = row_at(id);
  made.address = static_cast<char*>(facts.address);
  made.segment = facts.segment;
  made.owner = facts.owner;
  made.insert(0, 0, state);
  insert_after({id, 0}, place + units, block_state::edge);
  return {id, 0};
}

void block_map::end_segment(cursor only) {
  erase(next(only));
  erase(only);
}

block_map::two_cursors block_map::insert_deep(cursor at, std::uint64_t place, block_state state) {
  cursor low = at;
  cursor high{at.row, at.slot + 1};
  const bool last = !row_at(at.row).holds(high.slot);
  const std::uint32_t next = row_at(at.row).next;
  if (last && next != 0 && row_at(next).base() <= place) high = {next, 0};

  if (high.slot == row::slots || place - row_at(high.row).base() >= row::reach) {
    high = {make_behind(at.row, place), 0};
  } else if (row_at(high.row).full()) {
    constexpr std::uint32_t kept = row::slots / 2;
    const std::uint32_t halved = high.row;
    const std::uint32_t made = split(halved);
    if (low.row == halved && low.slot >= kept) low = {made, low.slot - kept};
    if (high.slot > kept) high = {made, high.slot - kept};
  }
  row& into = row_at(high.row);
  into.insert(high.slot, place - into.base(), state);
  return {low, high};
}

/// Takes an empty row out.
void block_map::remove(std::uint32_t empty) {
  const row& gone = row_at(empty);
  trees_.erase(rows_, gone.base());
  if (gone.previous != 0) row_at(gone.previous).next = gone.next;
  if (gone.next != 0) row_at(gone.next).previous = gone.previous;
  spare_.push_back(empty);
}

/// Blocks move to rows behind, so they are looked for there before anything else is asked.
block_map::cursor block_map::find_behind(const void* address, std::uint32_t hint) const {
  constexpr int near = 3;
  std::uint32_t at = row_at(hint).next;
  for (int i = 0; i < near && at != 0; ++i) {
    const cursor found = find_distance(at, row_at(at).distance_of(address));
    if (found) return found;
    at = row_at(at).next;
  }
  return {};
}

block_map::cursor block_map::find_far(std::uint64_t place, std::uint32_t hint) const {
  const std::uint32_t behind = row_at(hint).next;
  if (behind != 0) {
    const cursor found = find_in(behind, place);
    if (found) return found;
  }
  const auto* const far = row_trees::below(rows_, place + 1);
  return far == nullptr ? cursor{} : find_in(static_cast<std::uint32_t>(far->value), place);
}

/// An empty row of a segment of its own.
std::uint32_t block_map::make(std::uint64_t base) {
  if (spare_.empty()) {
    if (rows_made_ % chunk_size == 0) chunks_.push_back(take_large_page());
    new (&row_at(rows_made_)) row;
    spare_.push_back(rows_made_++);
    spare_.reserve(rows_made_);
  }
  const std::uint32_t id = spare_.back();
  spare_.pop_back();
  row& made = row_at(id);
  made.set_base(base);
  made.previous = 0;
  made.next = 0;
  trees_.insert(rows_, base, id);
  return id;
}

/// An empty row behind another one of the same segment.
std::uint32_t block_map::make_behind(std::uint32_t before, std::uint64_t base) {
  const std::uint32_t id = make(base);
  row& low = row_at(before);
  row& high = row_at(id);
  // As a number: the edge of the largest segments there can be lies behind all addresses.
  const std::uint64_t distance = (base - low.base()) * static_cast<std::uint64_t>(unit.n);
  high.address = reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(low.address) + distance);
  high.segment = low.segment;
  high.owner = low.owner;
  high.previous = before;
  high.next = low.next;
  if (high.next != 0) row_at(high.next).previous = id;
  low.next = id;
  return id;
}

/// The upper half moves to a new row behind. @return the new row
std::uint32_t block_map::split(std::uint32_t full) {
  constexpr std::uint32_t kept = row::slots / 2;
  const std::uint64_t first = place({full, kept});
  const std::uint32_t made = make_behind(full, first);
  row& low = row_at(full);
  row& high = row_at(made);
  for (std::uint32_t i = kept; i < row::slots; ++i) {
    high.insert(i - kept, low.base() + low.distance(kept) - first, low.state(kept));
    low.erase(kept);
  }
  return made;
}

}  // namespace headroom::caching
