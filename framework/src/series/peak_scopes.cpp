// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/error.hpp>
#include <headroom/series/peak_scopes.hpp>

namespace headroom {
namespace {

// Absent stays absent: a peak that was not read for a part of a scope is not known for the whole.
void raise(std::optional<bytes>& known, const std::optional<bytes>& seen) {
  if (!known || !seen) {
    known.reset();
  } else if (*known < *seen) {
    known = seen;
  }
}

void absorb(source_reading& scope, const source_reading& seen) {
  // The first moment of the highest value stays, so equal later peaks do not replace it.
  if (scope.at_allocated_peak && seen.at_allocated_peak) {
    if (scope.at_allocated_peak->allocated < seen.at_allocated_peak->allocated) {
      scope.at_allocated_peak = seen.at_allocated_peak;
    }
  } else {
    scope.at_allocated_peak.reset();
  }
  raise(scope[counter_id::allocated_peak], seen[counter_id::allocated_peak]);
  raise(scope[counter_id::reserved_peak], seen[counter_id::reserved_peak]);
  raise(scope.requested_peak, seen.requested_peak);
}

}  // namespace

source_reading peak_scopes::open() {
  if (!open_.empty()) absorb(open_.back(), source_->read());
  source_->reset_peaks();
  const source_reading begin = source_->read();
  open_.push_back(begin);
  return begin;
}

source_reading peak_scopes::close() {
  if (open_.empty()) throw usage_error("peak_scopes::close: no scope is open");
  const source_reading now = source_->read();
  source_reading result = now;
  absorb(open_.back(), now);
  result[counter_id::allocated_peak] = open_.back()[counter_id::allocated_peak];
  result[counter_id::reserved_peak] = open_.back()[counter_id::reserved_peak];
  result.requested_peak = open_.back().requested_peak;
  result.at_allocated_peak = open_.back().at_allocated_peak;
  open_.pop_back();
  if (!open_.empty()) absorb(open_.back(), result);
  return result;
}

}  // namespace headroom
