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
  piece found = cached(from, size);
  if (!found) found = obtain(from, size);
  if (!found) {
    ledger_.count_refusal();
    const out_of_memory_facts facts = facts_of(requested, size, what);
    hold.unlock();
    throw out_of_memory(facts);
  }
  if (splits(from, found.size, size)) {
    const std::uint64_t behind = blocks_.place(found.at) + units_of(size);
    const auto [low, high] = blocks_.insert_after(found.at, behind, block_state::free);
    cache(from, {high, found.size - size});
    found = {low, size};
  }
  blocks_.set_state(found.at, block_state::live);
  ledger_.hand_out(found.size, requested, what);
  return {blocks_.address(found.at), requested, found.size,
          handle{blocks_.segment(found.at), found.at.row, what}.packed()};
}

void engine::deallocate(const allocation& freed) noexcept {
  if (freed.record == nullptr) return;
  const std::lock_guard hold(lock_);
  const cursor at = find_live(freed);
  if (!at) return report_not_live(freed.address);
  ledger_.take_back(freed.size, handle::of(freed.record).what);
  if (blocks_.state(at) == block_state::used) {
    blocks_.set_state(at, block_state::pending);
    pending_.hold({freed.size, blocks_.place(at), at.row}, freed.requested);
  } else {
    ledger_.release(freed.size, freed.requested);
    make_free({at, freed.size});
  }
}

void engine::record_use(const allocation& used, stream_id stream) {
  if (used.record == nullptr) return;
  const std::lock_guard hold(lock_);
  const cursor at = find_live(used);
  if (!at) throw usage_error("a use was recorded of a block that is not live");
  if (pools_[blocks_.owner(at)].stream == stream) return;
  blocks_.set_state(at, block_state::used);
  pending_.add_use(blocks_.place(at), stream);
}

/// The block that was handed out; nowhere if it is not live.
engine::cursor engine::find_live(const allocation& handed) const {
  const handle of = handle::of(handed.record);
  cursor at = blocks_.find_near(handed.address, of.row);
  if (!at) {
    const segment& home = segments_[of.segment];
    at = blocks_.find(home.first_place + units_of(home.offset_of(handed.address)), of.row);
  }
  return at && blocks_.state(at) <= block_state::used ? at : cursor{};
}

void engine::reset_peaks() {
  const std::lock_guard hold(lock_);
  ledger_.reset_peaks();
}

/// Takes the best fit out of the free blocks.
engine::piece engine::cached(pool& from, bytes size) {
  if (threshold_ && !from.small) ++searches_;
  free_block found = from.free.at_least(size);
  if (!found) return {};
  cursor at = find(found);
  if (settings_.expandable_segments) {
    // A block with room to grow behind it counts as large as it can grow.
    bytes reach = reach_of({at, found.size});
    while (reach != found.size) {
      const free_block next = from.free.after(found);
      if (!next) break;
      const cursor next_at = find(next);
      const bytes next_reach = reach_of({next_at, next.size});
      if (next_reach >= reach) break;
      found = next;
      at = next_at;
      reach = next_reach;
    }
  }
  if (size < max_split_ && found.size >= max_split_) return {};
  if (size >= max_split_ && found.size - size >= max_over_) return {};
  from.free.erase(found.size, found.place);
  blocks_.prefetch(from.free.row_of_first(found.size));  // of the next request of this size
  return {at, found.size};
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
engine::piece engine::make_free(piece freed) {
  pool& owner = pools_[blocks_.owner(freed.at)];
  if (const cursor next = blocks_.next(freed.at); blocks_.state(next) == block_state::free) {
    const bytes size = size_at(next);
    owner.free.erase(size, blocks_.place(next));
    blocks_.erase(next);
    freed.size += size;
  }
  const cursor previous = blocks_.previous(freed.at);
  if (previous && blocks_.state(previous) == block_state::free) {
    const std::uint64_t begin = blocks_.place(previous);
    const bytes size = size_of(blocks_.place(freed.at) - begin);
    owner.free.erase(size, begin);
    blocks_.erase(freed.at);
    freed = {previous, freed.size + size};
  } else {
    blocks_.set_state(freed.at, block_state::free);
  }
  cache(owner, freed);
  return freed;
}

void engine::cache(pool& owner, piece added) {
  if (threshold_) {
    segment& home = segments_[blocks_.segment(added.at)];
    if (home.size == added.size) home.freed_at = searches_;
  }
  owner.free.insert({added.size, blocks_.place(added.at), added.at.row});
}

/// A pending block whose streams have all passed.
void engine::release(const pending_block& passed) {
  ledger_.release(passed.block.size, passed.requested);
  make_free({find(passed.block), passed.block.size});
}

void engine::look_at_pending() {
  if (pending_.empty()) return;
  pending_.look([this](const pending_block& passed) { release(passed); });
}

}  // namespace headroom::caching
