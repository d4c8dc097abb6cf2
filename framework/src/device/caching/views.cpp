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
  std::vector<std::uint32_t> by_age;
  segments_.for_each([&](std::uint32_t id, const segment&) { by_age.push_back(id); });
  std::sort(by_age.begin(), by_age.end(), [this](std::uint32_t a, std::uint32_t b) {
    return segments_[a].ordinal < segments_[b].ordinal;
  });
  std::vector<held_block> all;
  for (const std::uint32_t id : by_age) {
    const segment& home = segments_[id];
    const pool& owner = pools_[segments_.owner(id)];
    cursor at = blocks_.find(home.first_place, 0);
    for (; blocks_.state(at) != block_state::edge; at = blocks_.next(at)) {
      const block_place place{home.ordinal, size_of(blocks_.place(at) - home.first_place)};
      all.push_back({place, size_at(at), use_of(blocks_.state(at)), owner.stream, owner.small});
    }
  }
  return all;
}

block_place engine::place_of(const allocation& live) const {
  const std::uint32_t id = handle::of(live.record).segment;
  const std::lock_guard hold(lock_);
  const segment& home = segments_[id];
  return {home.ordinal, size_of(segments_.place(id, live.address) - home.first_place)};
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
