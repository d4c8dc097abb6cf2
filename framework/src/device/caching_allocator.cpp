// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/device/caching_allocator.hpp>
#include <utility>

#include "caching/engine.hpp"
#include "ledger_reading.hpp"

namespace headroom {

caching_allocator::caching_allocator(segment_source& source, stream_clock& clock,
                                     allocator_settings settings)
    : engine_(std::make_unique<caching::engine>(source, clock, settings)) {}

caching_allocator::~caching_allocator() = default;

allocation caching_allocator::allocate(bytes requested, stream_id stream, tag what) {
  return engine_->allocate(requested, stream, what);
}

void caching_allocator::deallocate(const allocation& block) noexcept { engine_->deallocate(block); }

void caching_allocator::record_use(const allocation& block, stream_id stream) {
  engine_->record_use(block, stream);
}

bytes caching_allocator::empty_cache() { return engine_->empty_cache(); }

allocator_description caching_allocator::describe() const {
  return {"headroom caching allocator", engine_->settings().entries()};
}

source_description caching_allocator::describe_counters() const {
  source_description all{.name = "headroom caching allocator", .coverage = {}};
  for (const counter_id id : all_counters) {
    const bool allocated = id == counter_id::allocated_current || id == counter_id::allocated_peak;
    all[id] = {.available = true,
               .exact = true,
               .covers = allocated ? "live blocks of this allocator, after rounding"
                                   : "segments that this allocator holds from the driver"};
  }
  return all;
}

source_reading caching_allocator::read() const { return reading_of(engine_->statistics()); }

void caching_allocator::reset_peaks() { engine_->reset_peaks(); }

caching_statistics caching_allocator::statistics() const { return engine_->statistics(); }

std::vector<cached_pool> caching_allocator::cached() const { return engine_->cached(); }

std::vector<held_block> caching_allocator::blocks() const { return engine_->blocks(); }

std::optional<block_place> caching_allocator::place_of(const allocation& block) const {
  if (block.record == nullptr) return std::nullopt;
  return engine_->place_of(block);
}

}  // namespace headroom
