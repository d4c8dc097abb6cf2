// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "block_map.hpp"

#include <algorithm>

namespace headroom::caching {

block_map::block_map() {
  // Line 0 stays empty, so that a hint of 0 finds nothing.
  make(0, 0);
  trees_.erase(lines_, 0);
  last_ = 0;
}

block_map::cursor block_map::append(std::uint64_t place, block_state state) {
  const std::uint32_t at = last_;
  if (at != 0) {
    const cursor end{at, count_below(line_at(at), none)};
    const std::uint64_t distance = place - line_at(at).base;
    if (end.slot < slots && distance < reach) {
      line_at(at).entries[end.slot] = entry_of(distance, state);
      return end;
    }
  }
  const std::uint32_t made = make(place, at);
  line_at(made).entries[0] = entry_of(0, state);
  return {made, 0};
}

block_map::two_cursors block_map::insert_deep(cursor at, std::uint64_t place, block_state state) {
  cursor low = at;
  cursor high{at.line, at.slot + 1};
  // Behind a line's last block the place may already belong to the next line.
  const bool last = high.slot == slots || line_at(at.line).entries[high.slot] == none;
  const std::uint32_t next = line_at(at.line).next;
  if (last && next != 0 && line_at(next).base <= place) high = {next, 0};

  const bool full = line_at(high.line).entries[slots - 1] != none;
  if (high.slot == slots || place - line_at(high.line).base >= reach) {
    high = {make(place, at.line), 0};
  } else if (full) {
    constexpr std::uint32_t kept = slots / 2;
    const std::uint32_t split_line = high.line;
    const std::uint32_t made = split(split_line);
    if (low.line == split_line && low.slot >= kept) low = {made, low.slot - kept};
    if (high.slot > kept) high = {made, high.slot - kept};
  }
  shift_in(line_at(high.line), high.slot, entry_of(place - line_at(high.line).base, state));
  return {low, high};
}

/// Takes an empty line out.
void block_map::remove(std::uint32_t empty) {
  const line& gone = line_at(empty);
  trees_.erase(lines_, gone.base);
  if (gone.previous != 0) line_at(gone.previous).next = gone.next;
  (gone.next != 0 ? line_at(gone.next).previous : last_) = gone.previous;
  spare_.push_back(empty);
}

/// Blocks move to the line behind, so it is looked for there before the tree is asked.
block_map::cursor block_map::find_far(std::uint64_t place, std::uint32_t hint) const {
  constexpr int near = 3;
  std::uint32_t at = line_at(hint).next;
  for (int i = 0; i < near && at != 0 && line_at(at).base <= place; ++i) {
    const cursor found = find_in(at, place);
    if (found) return found;
    at = line_at(at).next;
  }
  const auto* const far = lines_type::below(lines_, place + 1);
  return far == nullptr ? cursor{} : find_in(static_cast<std::uint32_t>(far->value), place);
}

/// An empty line behind another one.
std::uint32_t block_map::make(std::uint64_t base, std::uint32_t behind) {
  if (spare_.empty()) {
    const std::size_t first = chunks_.size() * chunk_size;
    chunks_.push_back(std::make_unique<line[]>(chunk_size));
    for (std::size_t i = chunk_size; i-- > 0;) {
      std::fill_n(chunks_.back()[i].entries, slots, none);
      spare_.push_back(static_cast<std::uint32_t>(first + i));
    }
  }
  const std::uint32_t id = spare_.back();
  spare_.pop_back();
  line& made = line_at(id);
  made.base = base;
  made.previous = behind;
  made.next = behind == 0 ? 0 : line_at(behind).next;
  if (behind != 0) line_at(behind).next = id;
  (made.next != 0 ? line_at(made.next).previous : last_) = id;
  trees_.insert(lines_, base, id);
  return id;
}

/// The upper half moves to a new line behind. @return the new line
std::uint32_t block_map::split(std::uint32_t full) {
  constexpr std::uint32_t kept = slots / 2;
  const std::uint64_t first = place({full, kept});
  const std::uint32_t made = make(first, full);
  line& low = line_at(full);
  line& high = line_at(made);
  for (std::uint32_t i = kept; i < slots; ++i) {
    const std::uint64_t distance =
        low.base + static_cast<std::uint64_t>(low.entries[i] >> state_bits) - first;
    high.entries[i - kept] =
        entry_of(distance, static_cast<block_state>(low.entries[i] & state_mask));
    low.entries[i] = none;
  }
  return made;
}

}  // namespace headroom::caching
