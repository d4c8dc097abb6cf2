// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <vector>

#include "engine.hpp"
#include "rounding.hpp"

namespace headroom::caching {

engine::~engine() {
  segments_.for_each([this](const segment& gone) {
    if (!gone.expandable()) return source_.give_back(gone.address, gone.size);
    const auto address = [&gone](bytes offset) {
      return static_cast<char*>(gone.address) + offset.n;
    };
    bytes begin;  // of the stretch with memory that reaches up to here
    bytes here;
    const auto unmap_stretch = [&] {
      if (begin < here) source_.unmap(address(begin), here - begin);
    };
    cursor at = blocks_.find(gone.first_place, 0);
    for (; blocks_.state(at) != block_state::edge; at = blocks_.next(at)) {
      const bytes size = size_at(at);
      if (blocks_.state(at) == block_state::unmapped) {
        unmap_stretch();
        begin = here + size;
      }
      here += size;
    }
    unmap_stretch();
    source_.release_range(gone.address, gone.size);
  });
}

bytes engine::empty_cache() {
  const std::lock_guard hold(lock_);
  const bytes before = ledger_.reserved();
  give_back_cached();
  return before - ledger_.reserved();
}

/// Nothing cached fits: takes memory from the driver, giving cached memory back where it refuses.
/// @return no block when that does not help either
engine::piece engine::obtain(pool& from, bytes size) {
  collect_garbage();
  if (const piece found = grow(from, size)) return found;
  if (give_back_oversize(from, size)) {
    if (const piece found = grow(from, size)) return found;
  }
  give_back_cached();
  ledger_.count_retry();
  return grow(from, size);
}

engine::piece engine::grow(pool& from, bytes size) {
  const bytes wanted = segment_size_for(size);
  if (allowed_ && ledger_.reserved() + wanted > *allowed_) return {};
  return settings_.expandable_segments ? stretch(from, size) : take_segment(from, wanted);
}

/// Whether there is a number and a place left for a segment.
bool engine::has_place_for(bytes size) const {
  return !segments_.full() && next_place_ + units_of(size) < block_map::place_bound;
}

engine::piece engine::take_segment(pool& from, bytes size) {
  if (!has_place_for(size)) return {};
  void* const address = source_.take(size);
  if (address == nullptr) return {};
  ledger_.reserve(size);
  ledger_.count_segment(1);
  return add_segment(from, address, size, {}, block_state::free);
}

/// With one block that fills it, which no index holds yet.
engine::piece engine::add_segment(pool& to, void* address, bytes size, bytes page,
                                  block_state state) {
  const std::uint64_t place = next_place_;
  const std::uint32_t number = segments_.add({.address = address,
                                              .size = size,
                                              .ordinal = next_ordinal_++,
                                              .first_place = place,
                                              .page = page});
  next_place_ += units_of(size) + 1;  // the end of a segment is a place of its own
  return {blocks_.begin_segment(place, units_of(size), {address, number, to.number}, state), size};
}

/// @param only fills its segment, and no index holds it
void engine::remove_segment(cursor only) {
  segments_.remove(blocks_.segment(only));
  blocks_.end_segment(only);
}

/// Gives back what has not been reused for long: repeatedly all whole segments at least as old as
/// the average, until reserved is down to the threshold.
void engine::collect_garbage() {
  if (!threshold_ || ledger_.reserved() <= *threshold_) return;
  const bytes wanted = ledger_.reserved() - *threshold_;
  bytes given;
  std::vector<free_block> whole;
  std::uint64_t total_age = 0;
  const auto age_of = [this](const free_block& of) { return searches_ - home_of(of).freed_at; };
  pools_.for_each([&](const pool& each) {
    if (each.small) return;
    for (free_block b = each.free.at_least({}); b; b = each.free.after(b)) {
      if (home_of(b).size != b.size) continue;
      whole.push_back(b);
      total_age += age_of(b);
    }
  });
  bool progress = true;
  while (given < wanted && progress && !whole.empty()) {
    const double average = static_cast<double>(total_age) / static_cast<double>(whole.size());
    progress = false;
    std::erase_if(whole, [&](const free_block& b) {
      const std::uint64_t age = age_of(b);
      if (home_of(b).expandable() || static_cast<double>(age) < average) return false;
      progress = true;
      given += b.size;
      total_age -= age;
      give_back(b);
      return true;
    });
  }
}

/// Where blocks have a split limit: gives back one cached block that would do, else the largest
/// ones until their sum would do. @return whether that much was given back
bool engine::give_back_oversize(pool& from, bytes size) {
  if (!settings_.max_split_size) return false;
  const bytes wanted = size < max_split_ ? max_split_ : size;
  const free_block enough = from.free.at_least(wanted);
  if (enough && !home_of(enough).expandable()) {
    give_back(enough);
    return true;
  }
  bytes given;
  for (free_block b = from.free.below(wanted); b && given < wanted && b.size >= max_split_;) {
    const free_block smaller = from.free.before(b);
    if (!home_of(b).expandable()) {
      given += b.size;
      give_back(b);
    }
    b = smaller;
  }
  return given >= wanted;
}

/// Waits for pending blocks, then gives all whole free segments back.
void engine::give_back_cached() {
  pending_.wait([this](const pending_block& passed) { release(passed); });
  pools_.for_each([this](pool& each) { give_back_cached(each); });
}

void engine::give_back_cached(pool& from) {
  if (settings_.expandable_segments) return unmap_cached(from);
  for (free_block b = from.free.at_least({}); b; b = from.free.after(b)) {
    if (home_of(b).size == b.size) give_back(b);
  }
}

/// @param whole fills its segment
void engine::give_back(const free_block& whole) {
  const cursor only = find(whole);
  pools_[blocks_.owner(only)].free.erase(whole.size, whole.place);
  source_.give_back(blocks_.address(only), whole.size);
  pending_.segment_given_back();
  ledger_.unreserve(whole.size);
  ledger_.count_segment(-1);
  remove_segment(only);
}

}  // namespace headroom::caching
