// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/counter_source.hpp>

namespace headroom {

/// A ledger's counts as a source gives them.
[[nodiscard]] inline source_reading reading_of(const caching_statistics& now) {
  source_reading all;
  all[counter_id::allocated_current] = now.counters.allocated.current;
  all[counter_id::allocated_peak] = now.counters.allocated.peak;
  all[counter_id::reserved_current] = now.counters.reserved.current;
  all[counter_id::reserved_peak] = now.counters.reserved.peak;
  all.requested_current = now.counters.requested.current;
  all.requested_peak = now.counters.requested.peak;
  all.at_allocated_peak = now.at_allocated_peak;
  all.retries = now.retries;
  all.refusals = now.refusals;
  all.allocations = now.allocations;
  return all;
}

}  // namespace headroom
