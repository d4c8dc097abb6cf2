// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "engine.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "handle.hpp"
#include "rounding.hpp"

namespace headroom::caching {
namespace {

constexpr bytes no_limit{std::numeric_limits<std::int64_t>::max()};
constexpr bytes default_max_over = 20_MiB;

/// Nothing can be thrown where a block is given back.
void report_not_live(const void* address) {
  std::fprintf(stderr, "headroom: a block at %p was given back that is not live; it is ignored\n",
               address);
}

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
  if (requested >= request_bound) throw out_of_memory(facts_of(requested, requested, what));
  look_at_pending();
  const bytes size = rounded_request(requested, settings_);
  pool& from = pools_.of(stream, size <= small_limit);
  free_block found = cached(from, size);
  if (!found) found = obtain(from, size);
  if (!found) {
    ledger_.count_refusal();
    const out_of_memory_facts facts = facts_of(requested, size, what);
    hold.unlock();
    throw out_of_memory(facts);
  }
  cursor at = blocks_.find(found.place, found.line);
  if (splits(from, found.size, size)) {
    const std::uint64_t behind = found.place + units_of(size);
    const auto [low, high] = blocks_.insert_after(at, behind, block_state::free);
    cache(from, {found.size - size, behind, found.segment, high.line});
    found.size = size;
    at = low;
  }
  blocks_.set_state(at, block_state::live);
  ledger_.hand_out(found.size, requested, what);
  return {segments_.address(found.segment, found.place), requested, found.size,
          handle{found.segment, at.line, what}.packed()};
}

void engine::deallocate(const allocation& freed) noexcept {
  if (freed.record == nullptr) return;
  const handle of = handle::of(freed.record);
  const std::lock_guard hold(lock_);
  const std::uint64_t place = segments_.place(of.segment, freed.address);
  const cursor at = blocks_.find(place, of.line);
  if (!at || blocks_.state(at) > block_state::used) return report_not_live(freed.address);
  ledger_.take_back(freed.size, of.what);
  const free_block back{freed.size, place, of.segment, at.line};
  if (blocks_.state(at) == block_state::used) {
    blocks_.set_state(at, block_state::pending);
    pending_.hold(back, freed.requested);
  } else {
    ledger_.release(freed.size, freed.requested);
    make_free(back, at);
  }
}

void engine::record_use(const allocation& used, stream_id stream) {
  if (used.record == nullptr) return;
  const handle of = handle::of(used.record);
  const std::lock_guard hold(lock_);
  if (pools_[segments_.owner(of.segment)].stream == stream) return;
  const std::uint64_t place = segments_.place(of.segment, used.address);
  const cursor at = blocks_.find(place, of.line);
  if (!at || blocks_.state(at) > block_state::used) {
    throw usage_error("a use was recorded of a block that is not live");
  }
  blocks_.set_state(at, block_state::used);
  pending_.add_use(place, stream);
}

void engine::reset_peaks() {
  const std::lock_guard hold(lock_);
  ledger_.reset_peaks();
}

/// Takes the best fit out of the free blocks.
free_block engine::cached(pool& from, bytes size) {
  if (threshold_ && !from.small) ++searches_;
  free_block found = from.free.at_least(size);
  if (!found) return {};
  if (settings_.expandable_segments) {
    // A block with room to grow behind it counts as large as it can grow.
    bytes reach = reach_of(found);
    while (reach != found.size) {
      const free_block next = from.free.after(found);
      if (!next) break;
      const bytes next_reach = reach_of(next);
      if (next_reach >= reach) break;
      found = next;
      reach = next_reach;
    }
  }
  if (size < max_split_ && found.size >= max_split_) return {};
  if (size >= max_split_ && found.size - size >= max_over_) return {};
  from.free.erase(found.size, found.place);
  return found;
}

bool engine::splits(const pool& from, bytes found, bytes size) const {
  const bytes rest = found - size;
  if (from.small || settings_.expandable_segments) return rest >= unit;
  return size < max_split_ && rest > small_limit;
}

bytes engine::size_at(cursor at) const {
  return size_of(blocks_.place(blocks_.next(at)) - blocks_.place(at));
}

/// The block is cached from now on, merged with free neighbours. @return the merged block
free_block engine::make_free(free_block freed, cursor at) {
  pool& owner = pools_[segments_.owner(freed.segment)];
  if (const cursor next = blocks_.next(at); blocks_.state(next) == block_state::free) {
    const bytes size = size_at(next);
    owner.free.erase(size, blocks_.place(next));
    blocks_.erase(next);
    freed.size += size;
  }
  const cursor previous = blocks_.previous(at);
  if (previous && blocks_.state(previous) == block_state::free) {
    const std::uint64_t begin = blocks_.place(previous);
    const bytes size = size_of(freed.place - begin);
    owner.free.erase(size, begin);
    blocks_.erase(at);
    freed = {freed.size + size, begin, freed.segment, previous.line};
  } else {
    blocks_.set_state(at, block_state::free);
  }
  cache(owner, freed);
  return freed;
}

void engine::cache(pool& owner, const free_block& added) {
  if (threshold_ && is_whole(added)) segments_[added.segment].freed_at = searches_;
  owner.free.insert(added);
}

/// A pending block whose streams have all passed.
void engine::release(const pending_block& passed) {
  ledger_.release(passed.block.size, passed.requested);
  make_free(passed.block, blocks_.find(passed.block.place, passed.block.line));
}

void engine::look_at_pending() {
  if (pending_.empty()) return;
  pending_.look([this](const pending_block& passed) { release(passed); });
}

}  // namespace headroom::caching
