// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>

#include "engine.hpp"
#include "rounding.hpp"

namespace headroom::caching {
namespace {

bool by_place(const block* a, const block* b) { return a->place < b->place; }

/// Whether a request may run on into this block.
bool open(const block* b) {
  return b != nullptr && (b->state == block_state::free || b->state == block_state::unmapped);
}

bool has_room(const block* from, bytes size) {
  bytes room;
  for (; room < size && open(from); from = from->next) room += from->size;
  return room >= size;
}

}  // namespace

/// A free block of at least `size`, out of the free blocks; null when the driver refuses. What
/// was mapped until then stays, cached.
block* engine::stretch(pool& from, bytes size) {
  block* found = room_for(from, size);
  if (found == nullptr) return nullptr;
  if (found->state == block_state::unmapped) {
    found = map(*found, std::min(found->size, size));
    if (found == nullptr) return nullptr;
  }
  while (found->size < size) {
    const bytes missing = size - found->size;
    found = map(*found->next, std::min(missing, found->next->size));
    if (found == nullptr) return nullptr;
  }
  from.free.erase(*found);
  return found;
}

/// The oldest, lowest run of free and unmapped blocks with room for `size`; in a new range where
/// there is none. @return null when no range is to be had
block* engine::room_for(pool& from, bytes size) {
  for (block* hole : from.unmapped) {
    block* const begin = open(hole->previous) ? hole->previous : hole;
    if (has_room(begin, size)) return begin;
  }
  return add_range(from, size);
}

/// Sets aside an eighth more addresses than the device has memory, so that holes may be left.
/// @return the range as one unmapped block; null when none is to be had, or one would be too small
block* engine::add_range(pool& from, bytes needed) {
  const bytes page = from.small ? small_segment : large_segment;
  const bytes capacity = source_.capacity();
  const bytes size = round_up(capacity + bytes{capacity.n / 8}, page);
  if (size < needed) {
    // PyTorch sets a range aside all the same and drops it: its number is used up.
    ++next_ordinal_;
    return nullptr;
  }
  void* const address = source_.reserve_range(size);
  if (address == nullptr) return nullptr;
  block& whole = *add_segment(address, size, page).first;
  whole.owner = &from;
  set_unmapped(whole);
  return &whole;
}

/// Puts memory behind the first `size` bytes, up to whole pages, and merges them with free
/// neighbours. @return the free block; null when the driver refuses
block* engine::map(block& unmapped, bytes size) {
  const bytes mapped = round_up(size, unmapped.home->page);
  if (!source_.map(unmapped.address(), mapped)) return nullptr;
  forget_unmapped(unmapped);
  if (mapped < unmapped.size) set_unmapped(cut(unmapped, mapped));
  ledger_.reserve(mapped);
  return &make_free(unmapped);
}

/// Takes the memory from behind the whole pages of a cached block; a range without any memory left
/// is released.
void engine::unmap(block& cached) {
  const bytes page = cached.home->page;
  const bytes offset = cached.offset();
  const bytes begin = round_up(offset, page);
  const bytes end{(offset + cached.size).n / page.n * page.n};
  if (begin >= end) return;
  cached.owner->free.erase(cached);
  block* gone = &cached;
  if (offset < begin) {
    gone = &cut(cached, begin - offset);
    cache(cached);
  }
  if (end - begin < gone->size) cache(cut(*gone, end - begin));
  source_.unmap(gone->address(), gone->size);
  ledger_.unreserve(gone->size);
  gone->state = block_state::unmapped;
  if (merges(gone, gone->next)) {
    forget_unmapped(*gone->next);
    join(*gone);
  }
  if (merges(gone->previous, gone)) {
    gone = gone->previous;
    forget_unmapped(*gone);
    join(*gone);
  }
  segment& home = *gone->home;
  if (gone->split()) {
    set_unmapped(*gone);
    return;
  }
  source_.release_range(home.address, home.size);
  blocks_.drop(*gone);
  remove_segment(home);
}

void engine::set_unmapped(block& added) {
  added.state = block_state::unmapped;
  std::vector<block*>& all = added.owner->unmapped;
  all.insert(std::upper_bound(all.begin(), all.end(), &added, by_place), &added);
}

void engine::forget_unmapped(block& gone) {
  std::vector<block*>& all = gone.owner->unmapped;
  all.erase(std::lower_bound(all.begin(), all.end(), &gone, by_place));
}

}  // namespace headroom::caching
