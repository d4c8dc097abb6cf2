// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <vector>

#include "engine.hpp"
#include "rounding.hpp"

namespace headroom::caching {

engine::~engine() {
  while (oldest_ != nullptr) {
    segment& gone = *oldest_;
    if (gone.expandable()) {
      for (block* each = gone.first; each != nullptr; each = each->next) {
        if (each->state != block_state::unmapped) source_.unmap(each->address(), each->size);
      }
      source_.release_range(gone.address, gone.size);
    } else {
      source_.give_back(gone.address, gone.size);
    }
    remove_segment(gone);
  }
}

bytes engine::empty_cache() {
  const std::lock_guard hold(lock_);
  const bytes before = ledger_.reserved();
  give_back_cached();
  return before - ledger_.reserved();
}

/// Nothing cached fits: takes memory from the driver, giving cached memory back where it refuses.
/// @return null when that does not help either
block* engine::obtain(pool& from, bytes size) {
  collect_garbage();
  if (block* const found = grow(from, size)) return found;
  if (give_back_oversize(from, size)) {
    if (block* const found = grow(from, size)) return found;
  }
  give_back_cached();
  ledger_.count_retry();
  return grow(from, size);
}

block* engine::grow(pool& from, bytes size) {
  const bytes wanted = segment_size_for(size);
  if (allowed_ && ledger_.reserved() + wanted > *allowed_) return nullptr;
  return settings_.expandable_segments ? stretch(from, size) : take_segment(from, wanted);
}

block* engine::take_segment(pool& from, bytes size) {
  void* const address = source_.take(size);
  if (address == nullptr) return nullptr;
  block& whole = *add_segment(address, size, {}).first;
  whole.owner = &from;
  ledger_.reserve(size);
  ledger_.count_segment(1);
  return &whole;
}

/// With one block that fills it.
segment& engine::add_segment(void* address, bytes size, bytes page) {
  segment& made = segments_.make();
  block& whole = blocks_.make();
  made.address = address;
  made.size = size;
  made.page = page;
  made.ordinal = next_ordinal_++;
  made.first_place = next_place_;
  made.first = &whole;
  made.older = newest_;
  (newest_ != nullptr ? newest_->newer : oldest_) = &made;
  newest_ = &made;
  whole.place = next_place_;
  whole.size = size;
  whole.home = &made;
  next_place_ += static_cast<std::uint64_t>(size.n / unit.n);
  return made;
}

void engine::remove_segment(segment& gone) {
  (gone.older != nullptr ? gone.older->newer : oldest_) = gone.newer;
  (gone.newer != nullptr ? gone.newer->older : newest_) = gone.older;
  segments_.drop(gone);
}

/// Gives back what has not been reused for long: repeatedly all whole segments at least as old as
/// the average, until reserved is down to the threshold.
void engine::collect_garbage() {
  if (!threshold_ || ledger_.reserved() <= *threshold_) return;
  const bytes wanted = ledger_.reserved() - *threshold_;
  bytes given;
  std::vector<block*> whole;
  std::uint64_t total_age = 0;
  const auto age_of = [this](const block& cached) {
    return searches_ - static_cast<std::uint64_t>(cached.freed_at);
  };
  pools_.for_each(false, [&](pool& each) {
    for (block* b = each.free.at_least({}); b != nullptr; b = each.free.after(*b)) {
      if (b->split()) continue;
      whole.push_back(b);
      total_age += age_of(*b);
    }
  });
  bool progress = true;
  while (given < wanted && progress && !whole.empty()) {
    const double average = static_cast<double>(total_age) / static_cast<double>(whole.size());
    progress = false;
    std::erase_if(whole, [&](block* b) {
      if (b->home->expandable() || static_cast<double>(age_of(*b)) < average) return false;
      progress = true;
      given += b->size;
      total_age -= age_of(*b);
      give_back(*b);
      return true;
    });
  }
}

/// Where blocks have a split limit: gives back one cached block that would do, else the largest
/// ones until their sum would do. @return whether that much was given back
bool engine::give_back_oversize(pool& from, bytes size) {
  if (!settings_.max_split_size) return false;
  const bytes wanted = size < max_split_ ? max_split_ : size;
  block* const enough = from.free.at_least(wanted);
  if (enough != nullptr && !enough->home->expandable()) {
    give_back(*enough);
    return true;
  }
  bytes given;
  for (block* b = from.free.below(wanted);
       b != nullptr && given < wanted && b->size >= max_split_;) {
    block* const smaller = from.free.before(*b);
    if (!b->home->expandable()) {
      given += b->size;
      give_back(*b);
    }
    b = smaller;
  }
  return given >= wanted;
}

/// Waits for pending blocks, then gives all whole free segments back.
void engine::give_back_cached() {
  pending_.wait([this](block& passed) { release(passed); });
  pools_.for_each(false, [this](pool& each) { give_back_cached(each); });
  pools_.for_each(true, [this](pool& each) { give_back_cached(each); });
}

void engine::give_back_cached(pool& from) {
  std::vector<block*> expandable;
  for (block* b = from.free.at_least({}); b != nullptr;) {
    block* const next = from.free.after(*b);
    if (b->home->expandable()) {
      expandable.push_back(b);
    } else if (!b->split()) {
      give_back(*b);
    }
    b = next;
  }
  for (block* b : expandable) unmap(*b);
}

/// @param whole fills its segment
void engine::give_back(block& whole) {
  segment& home = *whole.home;
  whole.owner->free.erase(whole);
  source_.give_back(home.address, home.size);
  ledger_.unreserve(home.size);
  ledger_.count_segment(-1);
  blocks_.drop(whole);
  remove_segment(home);
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
