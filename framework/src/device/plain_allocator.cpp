// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <headroom/core/error.hpp>
#include <headroom/device/plain_allocator.hpp>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caching/ledger.hpp"
#include "ledger_reading.hpp"

namespace headroom {
namespace {

constexpr const char* own_name = "plain allocator, a request to the driver for each block";

struct live_block {
  bytes size;
  tag what = tag::other;
  std::vector<stream_id> streams;  ///< its own first, then those that use it too
};

}  // namespace

struct plain_allocator::state {
  segment_source& source;
  stream_clock& clock;
  mutable std::mutex lock;
  caching::ledger counts;
  std::unordered_map<void*, live_block> live;

  [[nodiscard]] out_of_memory_facts facts_of(bytes requested, tag what) const {
    return {requested,         requested,         what, counts.counters(), source.capacity(),
            source.free_now(), source.device_id()};
  }
};

plain_allocator::plain_allocator(segment_source& source, stream_clock& clock)
    : state_(new state{source, clock, {}, {}, {}}) {}

plain_allocator::~plain_allocator() {
  for (const auto& [address, block] : state_->live) state_->source.give_back(address, block.size);
}

allocation plain_allocator::allocate(bytes requested, stream_id stream, tag what) {
  if (requested.n == 0) return {};
  if (requested.n < 0) {
    throw usage_error(fmt::format("asked for {} B; a request is zero bytes or more", requested.n));
  }
  const std::lock_guard hold(state_->lock);
  // The place in the table comes first: what the driver gave must not be lost when this throws.
  live_block block{requested, what, {stream}};
  state_->live.reserve(state_->live.size() + 1);
  void* const address = state_->source.take(requested);
  if (address == nullptr) {
    state_->counts.count_refusal();
    throw out_of_memory(state_->facts_of(requested, what));
  }
  try {
    state_->live.emplace(address, std::move(block));
  } catch (...) {
    state_->source.give_back(address, requested);
    throw;
  }
  state_->counts.reserve(requested);
  state_->counts.count_segment(1);
  state_->counts.hand_out(requested, requested, what);
  return {address, requested, requested, nullptr};
}

void plain_allocator::deallocate(const allocation& freed) noexcept {
  if (freed.address == nullptr) return;
  const std::lock_guard hold(state_->lock);
  const auto found = state_->live.find(freed.address);
  if (found == state_->live.end()) {
    std::fprintf(stderr, "headroom: a block at %p was given back that is not live; it is ignored\n",
                 freed.address);
    return;
  }
  const live_block& block = found->second;
  for (const stream_id stream : block.streams) {
    try {
      state_->clock.wait(state_->clock.record(stream));
    } catch (const std::exception& broken) {
      std::fprintf(stderr, "headroom: a block is given back without waiting for its use: %s\n",
                   broken.what());
    }
  }
  state_->source.give_back(freed.address, block.size);
  state_->counts.take_back(block.size, block.what);
  state_->counts.release(block.size, block.size);
  state_->counts.unreserve(block.size);
  state_->counts.count_segment(-1);
  state_->live.erase(found);
}

void plain_allocator::record_use(const allocation& used, stream_id stream) {
  if (used.address == nullptr) return;
  const std::lock_guard hold(state_->lock);
  const auto found = state_->live.find(used.address);
  if (found == state_->live.end()) {
    throw usage_error("a use was recorded of a block that is not live");
  }
  for (const stream_id known : found->second.streams) {
    if (known == stream) return;
  }
  found->second.streams.push_back(stream);
}

allocator_description plain_allocator::describe() const { return {own_name, {}}; }

source_description plain_allocator::describe_counters() const {
  source_description all{.name = own_name, .coverage = {}};
  for (const counter_id id : all_counters) {
    all[id] = {.available = true,
               .exact = true,
               .covers =
                   "live blocks as they were asked for; what the driver rounds them up to is "
                   "seen in the system's readings only"};
  }
  return all;
}

source_reading plain_allocator::read() const {
  const std::lock_guard hold(state_->lock);
  return reading_of(state_->counts.read());
}

void plain_allocator::reset_peaks() {
  const std::lock_guard hold(state_->lock);
  state_->counts.reset_peaks();
}

}  // namespace headroom
