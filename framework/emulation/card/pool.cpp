// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "pool.hpp"

#include <algorithm>

#include "graph.hpp"
#include "memory.hpp"

namespace headroom::emulation {

bool memory_pool::usable(const piece& candidate, const stream& by) const {
  const point& behind = candidate.behind;
  if (behind.on == nullptr || behind.on == &by) return true;
  if (opportunistic && behind.passed()) return true;
  if (!follow_events) return false;
  const auto seen = by.comes_after.find(behind.on);
  return seen != by.comes_after.end() && seen->second >= behind.ticket;
}

memory_pool::pieces::iterator memory_pool::best_fit(const stream& by, std::uint64_t size,
                                                    bool whatever_waits) {
  auto best = free_.end();
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->second.size < size || (!whatever_waits && !usable(it->second, by))) continue;
    if (best == free_.end() || it->second.size < best->second.size) best = it;
  }
  return best;
}

address memory_pool::cut(pieces::iterator from, std::uint64_t size) {
  const auto [at, whole] = *from;
  free_.erase(from);
  if (whole.size > size) {
    free_.emplace(at + size, piece{whole.size - size, whole.behind, whole.segment});
  }
  return at;
}

bool memory_pool::grow(std::uint64_t size) {
  const std::uint64_t whole = std::max(round_up(size, granularity), segment_size);
  for (const std::uint64_t length : {whole, round_up(size, granularity)}) {
    if (most_ != 0 && reserved_ + length > most_) continue;
    if (!on_.memory.take(length)) continue;
    const address begin = all_.addresses.reserve(length);
    const bool backed = all_.set.behind == contents::none || all_.addresses.back(begin, length);
    if (begin == 0 || !backed) {
      on_.memory.give_back(length);
      return false;
    }
    segments_.emplace(begin, length);
    free_.emplace(begin, piece{length, {}, begin});
    reserved_ += length;
    reserved_high = std::max(reserved_high, reserved_);
    return true;
  }
  return false;
}

result memory_pool::take(card_lock& lock, stream& for_stream, std::uint64_t size, address& at) {
  at = 0;
  if (size == 0) return result::success;
  const std::uint64_t whole = round_up(size, unit);
  if (whole < size) return result::out_of_memory;
  auto found = best_fit(for_stream, whole, false);
  if (found == free_.end() && grow(whole)) found = best_fit(for_stream, whole, false);
  if (found == free_.end() && internal_waits) {
    found = best_fit(for_stream, whole, true);
    if (found != free_.end()) {
      const point behind = found->second.behind;
      found->second.behind = {};
      enqueue_wait(all_, lock, for_stream, behind);
    }
  }
  if (found == free_.end()) {
    on_.memory.refuse(size);
    return result::out_of_memory;
  }
  block fresh;
  fresh.begin = cut(found, whole);
  fresh.size = size;
  fresh.kind = block_kind::pooled;
  fresh.device = on_.index;
  fresh.backed = keeps_contents(all_, whole);
  fresh.pool = this;
  at = all_.blocks.insert(fresh).begin;
  on_.memory.hand_out(static_cast<std::int64_t>(whole));
  used_ += whole;
  used_high = std::max(used_high, used_);
  return result::success;
}

void memory_pool::merge(pieces::iterator at) {
  const auto joins = [](const auto& low, const auto& high) {
    if (low.first + low.second.size != high.first) return false;
    if (low.second.segment != high.second.segment) return false;
    const point& a = low.second.behind;
    const point& b = high.second.behind;
    return a.on == b.on || (a.passed() && b.passed());
  };
  const auto absorb = [&](pieces::iterator low, pieces::iterator high) {
    low->second.size += high->second.size;
    const point& other = high->second.behind;
    point& kept = low->second.behind;
    if (kept.on == other.on) {
      kept.ticket = std::max(kept.ticket, other.ticket);
    } else {
      kept = {};
    }
    free_.erase(high);
  };
  const auto next = std::next(at);
  if (next != free_.end() && joins(*at, *next)) absorb(at, next);
  if (at != free_.begin() && joins(*std::prev(at), *at)) absorb(std::prev(at), at);
}

void memory_pool::give_back(const block& which, const point& behind) {
  const std::uint64_t whole = round_up(which.size, unit);
  used_ -= whole;
  on_.memory.hand_out(-static_cast<std::int64_t>(whole));
  const address segment = std::prev(segments_.upper_bound(which.begin))->first;
  const address begin = which.begin;
  all_.blocks.erase(begin);
  merge(free_.emplace(begin, piece{whole, behind, segment}).first);
}

void memory_pool::trim(std::uint64_t keep) {
  for (auto it = free_.begin(); it != free_.end();) {
    const auto next = std::next(it);
    if (next == free_.end()) break;
    merge(next);  // what has passed since joins
    it = free_.upper_bound(it->first);
  }
  for (auto it = free_.begin(); it != free_.end() && reserved_ > keep;) {
    const auto [begin, whole] = *it;
    const auto segment = segments_.find(begin);
    const bool unused = segment != segments_.end() && segment->second == whole.size;
    if (!unused || !whole.behind.passed() || reserved_ - whole.size < keep) {
      ++it;
      continue;
    }
    it = free_.erase(it);
    segments_.erase(segment);
    reserved_ -= whole.size;
    on_.memory.give_back(whole.size);
    all_.addresses.release(begin, whole.size);
  }
}

bool memory_pool::holds(address at, std::uint64_t size) const {
  const auto behind = segments_.upper_bound(at);
  if (behind == segments_.begin()) return false;
  const auto& [begin, length] = *std::prev(behind);
  return at + size <= begin + length;
}

void memory_pool::clear() {
  for (const auto& [begin, length] : segments_) {
    on_.memory.give_back(length);
    all_.addresses.release(begin, length);
  }
  segments_.clear();
  free_.clear();
  on_.memory.hand_out(-static_cast<std::int64_t>(used_));
  used_ = reserved_ = 0;
}

memory_pool* pool_of(card& all, const void* handle) {
  for (const auto& each : all.pools) {
    if (each.get() == handle && !each->destroyed) return each.get();
  }
  return nullptr;
}

memory_pool* create_pool(card& all, device& on, std::uint64_t most) {
  return all.pools.emplace_back(std::make_unique<memory_pool>(all, on, most)).get();
}

void end_if_unused(card& all, memory_pool& which) {
  if (!which.destroyed || which.used() > 0) return;
  which.clear();
  std::erase_if(all.pools, [&](const auto& each) { return each.get() == &which; });
}

result destroy_pool(card& all, memory_pool& which) {
  device& on = which.owner();
  if (on.default_pool == &which) return result::invalid_value;
  if (on.pool == &which) on.pool = on.default_pool;
  which.destroyed = true;
  end_if_unused(all, which);
  return result::success;
}

result give_back_in_order(card& all, card_lock& lock, stream& on, address at) {
  if (at == 0) return result::success;
  const block* found = all.blocks.at(at);
  if (found == nullptr) return result::invalid_value;
  if (found->kind == block_kind::device) {
    enqueue(all, lock, on, {[&all, at] { return release_block(all, at); }, false, 11});
    return result::success;
  }
  if (found->kind == block_kind::graph) return give_back_graph_memory(all, at);
  if (found->kind != block_kind::pooled) return result::invalid_value;
  memory_pool& pool = *found->pool;
  const block gone = *found;
  pool.give_back(gone, enqueue(all, lock, on, {}));
  end_if_unused(all, pool);
  return result::success;
}

bool pools_hold(const card& all, address at, std::uint64_t size) {
  return std::any_of(all.pools.begin(), all.pools.end(),
                     [&](const auto& each) { return each->holds(at, size); });
}

void trim_pools(card& all, const device& on) {
  for (const auto& each : all.pools) {
    if (&each->owner() == &on) each->trim_to_threshold();
  }
}

}  // namespace headroom::emulation
