// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/budget.hpp>
#include <headroom/core/error.hpp>

namespace headroom {
namespace {

void resolve_envelope(limit_set& limits, bytes envelope) {
  for (auto& entry : limits.by_counter) {
    if (!entry) continue;
    if (entry->at_most_is_envelope) entry->at_most = envelope;
    if (entry->at_least_is_envelope) entry->at_least = envelope;
  }
}

void overlay(const limit_set& from, limit_set& onto) {
  for (const counter_id counter : all_counters) {
    if (from[counter]) onto[counter] = from[counter];
  }
}

}  // namespace

std::string_view name_of(basis b) {
  switch (b) {
    case basis::computed:
      return "computed";
    case basis::measured:
      return "measured";
    case basis::assumed:
      return "assumed";
  }
  return "";
}

std::optional<basis> basis_from_name(std::string_view name) {
  for (const basis b : {basis::computed, basis::measured, basis::assumed}) {
    if (name_of(b) == name) return b;
  }
  return std::nullopt;
}

bytes storage_bytes(const weight_group& group) {
  std::int64_t bits = 0;
  std::int64_t padded = 0;
  if (!checked_multiply(group.parameters, group.bits, bits) || !checked_add(bits, 7, padded)) {
    throw usage_error(fmt::format("weights \"{}\": {} parameters x {} bits do not fit 64 bits",
                                  group.name, group.parameters, group.bits));
  }
  return bytes{padded / 8};
}

bool budget::accepts(std::string_view call) const {
  return std::any_of(accepted_calls.begin(), accepted_calls.end(),
                     [&](const accepted_call& each) { return each.call == call; });
}

bytes budget::weight_bytes() const {
  bytes sum;
  for (const weight_group& group : weights) {
    if (!checked_add(sum.n, storage_bytes(group).n, sum.n)) {
      throw usage_error(
          fmt::format("weights: the sum up to \"{}\" does not fit 64 bits", group.name));
    }
  }
  return sum;
}

bytes budget::reserve_bytes() const {
  bytes sum;
  for (const reserve_item& item : reserve) {
    if (!checked_add(sum.n, item.size.n, sum.n)) {
      throw usage_error(
          fmt::format("reserve: the sum up to \"{}\" does not fit 64 bits", item.name));
    }
  }
  return sum;
}

bytes budget::envelope() const {
  bytes sum;
  if (!checked_add(weight_bytes().n, reserve_bytes().n, sum.n)) {
    throw usage_error("envelope: weights plus reserve do not fit 64 bits");
  }
  return sum;
}

basis budget::envelope_basis() const {
  basis weakest = basis::computed;
  for (const reserve_item& item : reserve) weakest = std::max(weakest, item.basis);
  return weakest;
}

budget budget::for_device(std::string_view id, std::string_view device_name) const {
  budget result = *this;
  for (const device_override& entry : per_device) {
    if (entry.device != id && entry.device != device_name) continue;
    if (entry.reserve) result.reserve = *entry.reserve;
    overlay(entry.limits, result.limits);
    overlay(entry.cold_limits, result.cold_limits);
    overlay(entry.warm_limits, result.warm_limits);
  }
  const bytes total = result.envelope();
  resolve_envelope(result.limits, total);
  resolve_envelope(result.cold_limits, total);
  resolve_envelope(result.warm_limits, total);
  for (phase_limits& phase : result.per_phase) resolve_envelope(phase.limits, total);
  return result;
}

}  // namespace headroom
