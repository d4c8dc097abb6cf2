// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/report/replay_answer.hpp>

namespace headroom {
namespace {

/// What the device must have so that `reserved` may be held.
bytes whole_of(bytes reserved, const allocator_settings& settings) {
  const double fraction = settings.per_process_memory_fraction.value_or(1);
  if (fraction <= 0) return largest_capacity;
  return bytes{static_cast<std::int64_t>(static_cast<double>(reserved.n) / fraction)};
}

}  // namespace

capacity_search search_capacity(const trace_opener& open, const replay_plan& plan,
                                const replay_report& replayed,
                                const std::function<void(bytes)>& tries) {
  const auto at = [&](bytes capacity) {
    if (tries) tries(capacity);
    return replay_plan{plan.device, capacity, plan.settings};
  };
  // Where nothing had to be given back, that much memory gives the same replay, so it fits.
  bytes reserved = replayed.reserved_peak.reserved;
  if (!replayed.fits() || replayed.retries > 0) {
    trace_reader trace = open();
    reserved = replay_trace(trace, at(largest_capacity)).reserved_peak.reserved;
  }
  const capacity_range range{replayed.most_requested, whole_of(reserved, plan.settings),
                             largest_capacity};
  return find_smallest_capacity(range, capacity_step, [&](bytes capacity) {
    trace_reader trace = open();
    return trace_fits(trace, at(capacity));
  });
}

}  // namespace headroom
