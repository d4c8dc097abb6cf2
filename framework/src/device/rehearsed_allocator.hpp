// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/error.hpp>
#include <headroom/device/counted_allocator.hpp>
#include <headroom/device/rehearsal.hpp>
#include <headroom/device/segment_source.hpp>
#include <memory>
#include <utility>

namespace headroom {

/// An allocator that refuses what a rehearsal says, and counts that among its refusals.
class rehearsed_allocator final : public counted_allocator {
 public:
  /// @param segments, plan  must outlive it
  rehearsed_allocator(std::unique_ptr<counted_allocator> under, const segment_source& segments,
                      rehearsal& plan)
      : under_(std::move(under)), segments_(segments), plan_(plan) {}

  [[nodiscard]] allocation allocate(bytes requested, stream_id stream, tag what) override {
    if (requested.n > 0 && plan_.refuses(request_kind::allocation)) {
      ++refused_;
      throw out_of_memory(facts_of(requested, what));
    }
    return under_->allocate(requested, stream, what);
  }
  void deallocate(const allocation& block) noexcept override { under_->deallocate(block); }
  void record_use(const allocation& block, stream_id stream) override {
    under_->record_use(block, stream);
  }
  bytes empty_cache() override { return under_->empty_cache(); }
  [[nodiscard]] allocator_description describe() const override { return under_->describe(); }

  [[nodiscard]] source_description describe_counters() const override {
    return under_->describe_counters();
  }
  [[nodiscard]] source_reading read() const override {
    source_reading all = under_->read();
    if (all.refusals) *all.refusals += refused_;
    return all;
  }
  void reset_peaks() override { under_->reset_peaks(); }

 private:
  [[nodiscard]] out_of_memory_facts facts_of(bytes requested, tag what) const {
    const source_reading now = under_->read();
    const auto level = [&now](counter_id id) { return now[id].value_or(bytes{0}); };
    memory_counters held;
    held.allocated = {level(counter_id::allocated_current), level(counter_id::allocated_peak)};
    held.reserved = {level(counter_id::reserved_current), level(counter_id::reserved_peak)};
    held.requested = {now.requested_current.value_or(bytes{0}),
                      now.requested_peak.value_or(bytes{0})};
    return {requested,
            requested,
            what,
            held,
            segments_.capacity(),
            segments_.free_now(),
            segments_.device_id()};
  }

  std::unique_ptr<counted_allocator> under_;
  const segment_source& segments_;
  rehearsal& plan_;
  std::atomic<std::int64_t> refused_ = 0;
};

}  // namespace headroom
