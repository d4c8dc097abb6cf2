// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "rounding.hpp"

namespace headroom::caching {
namespace {

constexpr bytes no_limit{std::numeric_limits<std::int64_t>::max()};
constexpr bytes default_max_over = 20_MiB;

block& record_of(const allocation& handed) { return *static_cast<block*>(handed.record); }

}  // namespace

engine::engine(segment_source& source, stream_clock& clock, const allocator_settings& settings)
    : source_(source),
      settings_(settings),
      max_split_(settings.max_split_size.value_or(no_limit)),
      max_over_(settings.max_non_split_rounding.value_or(default_max_over)),
      pending_(clock) {
  if (settings.expandable_segments && !source.has_ranges()) {
    throw usage_error(
        fmt::format("expandable_segments: {} has no address ranges; leave the setting out",
                    source.device_id()));
  }
  // The whole is no limit, as if the setting were left out: garbage is not collected either.
  if (settings.per_process_memory_fraction.value_or(1) < 1) {
    const auto whole = static_cast<double>(source.capacity().n);
    allowed_ = bytes{static_cast<std::int64_t>(*settings.per_process_memory_fraction * whole)};
  }
  if (allowed_ && settings.garbage_collection_threshold.value_or(0) > 0) {
    threshold_ = bytes{static_cast<std::int64_t>(*settings.garbage_collection_threshold *
                                                 static_cast<double>(allowed_->n))};
  }
}

allocation engine::allocate(bytes requested, stream_id stream, tag what) {
  if (requested.n == 0) return {};
  if (requested.n < 0) {
    throw usage_error(fmt::format("asked for {} B; a request is zero bytes or more", requested.n));
  }
  std::unique_lock hold(lock_);
  if (requested >= request_bound) {
    throw out_of_memory(facts_of(requested, requested, what));
  }
  look_at_pending();
  const bytes size = rounded_request(requested, settings_);
  pool& from = pools_.of(stream, size <= small_limit);
  block* found = cached(from, size);
  if (found == nullptr) found = obtain(from, size);
  if (found == nullptr) {
    ledger_.count_refusal();
    out_of_memory_facts facts = facts_of(requested, size, what);
    hold.unlock();
    throw out_of_memory(std::move(facts));
  }
  if (splits(from, *found, size)) cache(cut(*found, size));
  found->state = block_state::live;
  found->requested = requested.n;
  found->uses = 0;
  found->what = what;
  ledger_.hand_out(found->size, requested, what);
  return {found->address(), requested, found->size, found};
}

void engine::deallocate(const allocation& freed) noexcept {
  if (freed.record == nullptr) return;
  const std::lock_guard hold(lock_);
  block& back = record_of(freed);
  ledger_.take_back(back.size, back.what);
  if (back.uses != 0) {
    pending_.hold(back);
  } else {
    release(back);
  }
}

void engine::record_use(const allocation& used, stream_id stream) {
  if (used.record == nullptr) return;
  const std::lock_guard hold(lock_);
  block& live = record_of(used);
  if (live.owner->stream != stream) pending_.add_use(live, stream);
}

void engine::reset_peaks() {
  const std::lock_guard hold(lock_);
  ledger_.reset_peaks();
}

caching_statistics engine::statistics() const {
  const std::lock_guard hold(lock_);
  return ledger_.read();
}

std::vector<cached_pool> engine::cached() const {
  const std::lock_guard hold(lock_);
  std::vector<cached_pool> all;
  for (const segment* home = oldest_; home != nullptr; home = home->newer) {
    for (const block* each = home->first; each != nullptr; each = each->next) {
      if (each->state != block_state::free) continue;
      const auto of_pool = [&](const cached_pool& known) {
        return known.stream == each->owner->stream && known.small == each->owner->small;
      };
      auto found = std::find_if(all.begin(), all.end(), of_pool);
      if (found == all.end()) {
        found = all.insert(all.end(), {each->owner->stream, each->owner->small, 0, {}, {}});
      }
      ++found->blocks;
      found->total += each->size;
      found->largest = std::max(found->largest, each->size);
    }
  }
  return all;
}

block_place engine::place_of(const allocation& live) const {
  const std::lock_guard hold(lock_);
  const block& found = record_of(live);
  return {found.home->ordinal, found.offset()};
}

/// Takes the best fit out of the free blocks; null where nothing fits.
block* engine::cached(pool& from, bytes size) {
  if (threshold_ && !from.small) ++searches_;
  block* found = from.free.at_least(size);
  if (found == nullptr) return nullptr;
  if (settings_.expandable_segments) {
    // A block with room to grow behind it counts as large as it can grow.
    const auto reach = [](const block& of) {
      const bool grows = of.next != nullptr && of.next->state == block_state::unmapped;
      return grows ? of.size + of.next->size : of.size;
    };
    for (block* next = from.free.after(*found); next != nullptr && reach(*next) < reach(*found);
         next = from.free.after(*next)) {
      found = next;
    }
  }
  if (size < max_split_ && found->size >= max_split_) return nullptr;
  if (size >= max_split_ && found->size - size >= max_over_) return nullptr;
  from.free.erase(*found);
  return found;
}

bool engine::splits(const pool& from, const block& found, bytes size) const {
  const bytes rest = found.size - size;
  if (from.small || settings_.expandable_segments) return rest >= unit;
  return size < max_split_ && rest > small_limit;
}

/// Shortens the block to `size`. @return what was behind, as a block that no index holds yet
block& engine::cut(block& low, bytes size) {
  block& high = blocks_.make();
  high.place = low.place + static_cast<std::uint64_t>(size.n / unit.n);
  high.size = low.size - size;
  high.home = low.home;
  high.owner = low.owner;
  high.previous = &low;
  high.next = low.next;
  if (high.next != nullptr) high.next->previous = &high;
  low.next = &high;
  low.size = size;
  return high;
}

void engine::cache(block& added) {
  added.state = block_state::free;
  added.freed_at = static_cast<std::int64_t>(searches_);
  added.owner->free.insert(added);
}

bool engine::merges(const block* low, const block* high) const {
  return low != nullptr && high != nullptr && low->state == high->state;
}

/// The block behind is absorbed. The lower record always stays, so segment::first holds.
void engine::join(block& low) {
  block& high = *low.next;
  low.size += high.size;
  low.next = high.next;
  if (low.next != nullptr) low.next->previous = &low;
  blocks_.drop(high);
}

/// The block is cached from now on, merged with free neighbours. @return the merged block
block& engine::make_free(block& freed) {
  freed.state = block_state::free;
  if (merges(&freed, freed.next)) {
    freed.owner->free.erase(*freed.next);
    join(freed);
  }
  block* whole = &freed;
  if (merges(freed.previous, &freed)) {
    whole = freed.previous;
    whole->owner->free.erase(*whole);
    join(*whole);
  }
  cache(*whole);
  return *whole;
}

/// A block that came back and that no stream uses.
void engine::release(block& passed) {
  ledger_.release(passed.size, bytes{passed.requested});
  make_free(passed);
}

void engine::look_at_pending() {
  if (pending_.empty()) return;
  pending_.look([this](block& passed) { release(passed); });
}

}  // namespace headroom::caching
