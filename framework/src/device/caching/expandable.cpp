// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <vector>

#include "engine.hpp"
#include "rounding.hpp"

namespace headroom::caching {
namespace {

/// Whether a request may run on into a block in this state.
bool open(block_state state) {
  return state == block_state::free || state == block_state::unmapped;
}

bytes page_of(const pool& of) { return of.small ? small_segment : large_segment; }

auto position(std::vector<std::uint64_t>& all, std::uint64_t place) {
  return std::lower_bound(all.begin(), all.end(), place);
}
void remember(std::vector<std::uint64_t>& all, std::uint64_t place) {
  all.insert(position(all, place), place);
}
void forget(std::vector<std::uint64_t>& all, std::uint64_t place) {
  all.erase(position(all, place));
}

}  // namespace

/// How large the block is or, with addresses behind it that have no memory yet, could grow.
bytes engine::reach_of(piece of) const {
  const cursor next = blocks_.next(of.at);
  return blocks_.state(next) == block_state::unmapped ? of.size + size_at(next) : of.size;
}

/// A block of at least `size`, out of the free blocks; none when the driver refuses. What was
/// mapped until then stays, cached.
engine::piece engine::stretch(pool& from, bytes size) {
  const cursor begin = room_for(from, size);
  if (!begin) return {};
  piece found{begin, size_at(begin)};
  if (blocks_.state(begin) == block_state::unmapped) {
    found = map(from, begin, std::min(found.size, size));
    if (!found) return {};
  }
  while (found.size < size) {
    const cursor behind = blocks_.next(found.at);
    found = map(from, behind, std::min(size - found.size, size_at(behind)));
    if (!found) return {};
  }
  from.free.erase(found.size, blocks_.place(found.at));
  return found;
}

/// The oldest, lowest run of free and unmapped blocks with room for `size`; in a new range where
/// there is none. @return nowhere when no range is to be had
engine::cursor engine::room_for(pool& from, bytes size) {
  for (const std::uint64_t hole : from.unmapped) {
    const cursor at = blocks_.find(hole, 0);
    const cursor previous = blocks_.previous(at);
    const cursor begin = previous && open(blocks_.state(previous)) ? previous : at;
    if (has_room(begin, size)) return begin;
  }
  return add_range(from, size);
}

bool engine::has_room(cursor from, bytes size) const {
  bytes room;
  for (; room < size && open(blocks_.state(from)); from = blocks_.next(from)) room += size_at(from);
  return room >= size;
}

/// Sets aside an eighth more addresses than the device has memory, so that holes may be left.
/// @return the range as one unmapped block; nowhere when none is to be had or it would be too small
engine::cursor engine::add_range(pool& to, bytes needed) {
  const bytes page = page_of(to);
  const bytes capacity = source_.capacity();
  const bytes size = round_up(capacity + bytes{capacity.n / 8}, page);
  if (size < needed) {
    // PyTorch sets a range aside all the same and drops it: its number is used up.
    ++next_ordinal_;
    return {};
  }
  void* const address = has_place_for(size) ? source_.reserve_range(size) : nullptr;
  if (address == nullptr) return {};
  const cursor whole = add_segment(to, address, size, page, block_state::unmapped).at;
  remember(to.unmapped, blocks_.place(whole));
  return whole;
}

/// Puts memory behind the first `size` bytes, up to whole pages, and merges them with free
/// neighbours. @return the free block; none when the driver refuses
engine::piece engine::map(pool& in, cursor unmapped, bytes size) {
  const std::uint64_t place = blocks_.place(unmapped);
  const bytes mapped = round_up(size, segments_[blocks_.segment(unmapped)].page);
  if (!source_.map(blocks_.address(unmapped), mapped)) return {};
  forget(in.unmapped, place);
  if (mapped < size_at(unmapped)) {
    const std::uint64_t behind = place + units_of(mapped);
    unmapped = blocks_.insert_after(unmapped, behind, block_state::unmapped).low;
    remember(in.unmapped, behind);
  }
  ledger_.reserve(mapped);
  return make_free({unmapped, mapped});
}

/// Takes the memory from behind all cached blocks that hold whole pages.
void engine::unmap_cached(pool& in) {
  // Unmapping cuts blocks, and what is left of them needs no second look.
  std::vector<free_block> all;
  for (free_block b = in.free.at_least(page_of(in)); b; b = in.free.after(b)) all.push_back(b);
  for (const free_block& b : all) unmap(b);
}

/// Takes the memory from behind the whole pages of a cached block; a range without any memory left
/// is released.
void engine::unmap(const free_block& cached) {
  cursor at = find(cached);
  const segment home = segments_[blocks_.segment(at)];
  pool& owner = pools_[blocks_.owner(at)];
  const bytes offset = size_of(cached.place - home.first_place);
  const bytes begin = round_up(offset, home.page);
  const bytes end{(offset + cached.size).n / home.page.n * home.page.n};
  if (begin >= end) return;
  owner.free.erase(cached.size, cached.place);
  if (offset < begin) {
    const std::uint64_t place = home.first_place + units_of(begin);
    const auto [low, high] = blocks_.insert_after(at, place, block_state::unmapped);
    cache(owner, {low, begin - offset});
    at = high;
  }
  if (const bytes rest = offset + cached.size - end; rest.n > 0) {
    const std::uint64_t behind = home.first_place + units_of(end);
    const auto [low, high] = blocks_.insert_after(at, behind, block_state::free);
    cache(owner, {high, rest});
    at = low;
  }
  source_.unmap(blocks_.address(at), end - begin);
  ledger_.unreserve(end - begin);
  blocks_.set_state(at, block_state::unmapped);
  if (const cursor next = blocks_.next(at); blocks_.state(next) == block_state::unmapped) {
    forget(owner.unmapped, blocks_.place(next));
    blocks_.erase(next);
  }
  const cursor previous = blocks_.previous(at);
  if (previous && blocks_.state(previous) == block_state::unmapped) {
    blocks_.erase(at);
    at = previous;
  } else {
    remember(owner.unmapped, blocks_.place(at));
  }
  if (size_at(at) != home.size) return;
  forget(owner.unmapped, home.first_place);
  source_.release_range(home.address, home.size);
  remove_segment(at);
}

}  // namespace headroom::caching
