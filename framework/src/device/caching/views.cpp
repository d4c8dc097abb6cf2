// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// What an engine tells of itself.
#include <algorithm>

#include "engine.hpp"
#include "handle.hpp"

namespace headroom::caching {
namespace {

block_use use_of(block_state state) {
  switch (state) {
    case block_state::free:
      return block_use::cached;
    case block_state::pending:
      return block_use::pending;
    case block_state::unmapped:
      return block_use::unmapped;
    default:
      return block_use::live;
  }
}

}  // namespace

caching_statistics engine::statistics() const {
  const std::lock_guard hold(lock_);
  return ledger_.read();
}

std::vector<cached_pool> engine::cached() const {
  const std::lock_guard hold(lock_);
  std::vector<cached_pool> all;
  pools_.for_each([&](const pool& each) {
    cached_pool held{each.stream, each.small, 0, {}, {}};
    for (free_block b = each.free.at_least({}); b; b = each.free.after(b)) {
      ++held.blocks;
      held.total += b.size;
      held.largest = b.size;
    }
    if (held.blocks > 0) all.push_back(held);
  });
  return all;
}

std::vector<held_block> engine::blocks() const {
  const std::lock_guard hold(lock_);
  std::vector<segment> by_age;
  segments_.for_each([&](const segment& each) { by_age.push_back(each); });
  std::sort(by_age.begin(), by_age.end(),
            [](const segment& a, const segment& b) { return a.ordinal < b.ordinal; });
  std::vector<held_block> all;
  for (const segment& home : by_age) {
    cursor at = blocks_.find(home.first_place, 0);
    const pool& owner = pools_[blocks_.owner(at)];
    for (; blocks_.state(at) != block_state::edge; at = blocks_.next(at)) {
      const block_place place{home.ordinal, home.offset_of(blocks_.address(at))};
      all.push_back({place, size_at(at), use_of(blocks_.state(at)), owner.stream, owner.small});
    }
  }
  return all;
}

block_place engine::place_of(const allocation& live) const {
  const std::lock_guard hold(lock_);
  const segment& home = segments_[handle::of(live.record).segment];
  return {home.ordinal, home.offset_of(live.address)};
}

out_of_memory_facts engine::facts_of(bytes requested, bytes rounded, tag what) const {
  const bytes capacity = source_.capacity();
  return {.requested = requested,
          .rounded = rounded,
          .what = what,
          .counters = ledger_.counters(),
          .capacity = allowed_ && *allowed_ < capacity ? *allowed_ : capacity,
          .system_free = source_.free_now(),
          .device = source_.device_id()};
}

}  // namespace headroom::caching
