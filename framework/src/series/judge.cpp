// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <headroom/core/size_text.hpp>
#include <headroom/series/verdict.hpp>

#include "judge_parts.hpp"

namespace headroom {
namespace {

using phase_filter = std::function<bool(const phase_record&)>;

bool is_worse(bytes candidate, bytes known, bound side) {
  return side == bound::at_most ? known < candidate : candidate < known;
}

// The worst complete reading decides. A reading that is missing leaves the limit unknown, unless
// another one exceeds it already.
void rule_on(limit_verdict& result, const series_record& series, const phase_filter& in_scope) {
  std::string missing;
  bool any = false;
  for (const phase_record& phase : series.phases) {
    if (!in_scope(phase)) continue;
    any = true;
    const device_reading* reading = reading_of(phase, result.device);
    const std::optional<bytes> value =
        reading != nullptr ? reading->end[result.counter] : std::nullopt;
    if (phase.status != phase_status::ok) {
      missing = fmt::format("{} {}", phase.name,
                            phase.status == phase_status::failed ? "failed" : "did not run");
    } else if (!value) {
      missing = fmt::format("{} was not measured in {}", words_of(result.counter), phase.name);
    } else if (!result.measured || is_worse(*value, *result.measured, result.bound)) {
      result.measured = value;
      result.phase = phase.name;
      result.pass = phase.pass;
      result.repeat = phase.repeat;
    }
  }
  if (!any) missing = "no such phase in this series";
  if (result.excess()) {
    result.result = ruling::exceeded;
  } else if (!missing.empty()) {
    result.result = ruling::unknown;
    result.reason = missing;
  } else {
    result.result = ruling::within;
  }
}

class judging {
 public:
  judging(const series_record& series, const budget& against, verdict& result)
      : series_(series), against_(against), result_(result) {}

  void judge_device(const device_record& device) {
    const budget local = against_.for_device(device.info.id, device.info.name);
    judge_set(local.limits, device, limit_scope::passes, "",
              [&](const phase_record& phase) { return series_.is_judged_pass(phase); });
    judge_set(local.cold_limits, device, limit_scope::cold, "", [&](const phase_record& phase) {
      return series_.is_judged_pass(phase) && phase.pass == pass_kind::cold;
    });
    judge_set(local.warm_limits, device, limit_scope::warm, "", [&](const phase_record& phase) {
      return series_.is_judged_pass(phase) && phase.pass == pass_kind::warm;
    });
    for (const phase_limits& each : local.per_phase) {
      judge_set(each.limits, device, limit_scope::phase, each.phase,
                [&](const phase_record& phase) {
                  return phase.name == each.phase && !of_other_cards(phase, device.info.id);
                });
    }
    // A program has no repeats: growth is judged where the budget asks for it in so many words.
    const bool judged = !series_.program || against_.steady_state_line > 0;
    if (local.steady_state_growth && judged) judge_growth(device, *local.steady_state_growth);
    for (const configuration& each : local.configurations) {
      const bool matches = each.device == device.info.id || each.device == device.info.name;
      if (matches && each.minimum_headroom) judge_headroom(device, each);
    }
  }

 private:
  /// Of a program's processes each has phases of its own, on the cards that it uses.
  bool of_other_cards(const phase_record& phase, const std::string& device) const {
    return series_.program && !phase.readings.empty() && reading_of(phase, device) == nullptr;
  }

  limit_verdict start(const device_record& device, counter_id counter, limit_scope scope,
                      bound side, std::optional<bytes> limit) const {
    limit_verdict entry;
    entry.device = device.info.id;
    entry.counter = counter;
    entry.scope = scope;
    entry.bound = side;
    entry.limit = limit;
    return entry;
  }

  void judge_set(const limit_set& limits, const device_record& device, limit_scope scope,
                 const std::string& phase, const phase_filter& in_scope) {
    for (const counter_id counter : all_counters) {
      const std::optional<limit>& each = limits[counter];
      if (!each) continue;
      const auto add = [&](bound side, std::optional<bytes> value, bool from_envelope) {
        limit_verdict entry = start(device, counter, scope, side, value);
        entry.phase = phase;
        entry.from_envelope = from_envelope;
        entry.line = each->line;
        entry.pointer = each->pointer;
        if (each->waived) {
          entry.result = ruling::waived;
          entry.reason = *each->waived;
        } else {
          rule_on(entry, series_, in_scope);
        }
        result_.limits.push_back(std::move(entry));
      };
      if (each->waived || each->at_most) {
        add(bound::at_most, each->at_most, each->at_most_is_envelope);
      }
      if (each->at_least) add(bound::at_least, each->at_least, each->at_least_is_envelope);
    }
  }

  void judge_growth(const device_record& device, bytes allowed) {
    for (const counter_id counter : {counter_id::allocated_current, counter_id::reserved_current}) {
      limit_verdict entry = start(device, counter, limit_scope::growth, bound::at_most, allowed);
      entry.pointer = "/steady_state/growth";
      entry.line = against_.steady_state_line;
      const phase_record* first = nullptr;
      const phase_record* last = nullptr;
      for (const phase_record& phase : series_.phases) {
        if (phase.parent || phase.pass != pass_kind::warm) continue;
        if (first == nullptr) first = &phase;
        last = &phase;
      }
      if (first == nullptr || first == last) {
        entry.reason = "growth needs at least two warm repeats";
      } else {
        entry.phase = last->name;
        entry.pass = last->pass;
        entry.repeat = last->repeat;
        rule_on_growth(entry, *first, *last);
      }
      result_.limits.push_back(std::move(entry));
    }
  }

  static void rule_on_growth(limit_verdict& entry, const phase_record& first,
                             const phase_record& last) {
    const device_reading* from = reading_of(first, entry.device);
    const device_reading* to = reading_of(last, entry.device);
    const bool complete = first.status == phase_status::ok && last.status == phase_status::ok &&
                          from != nullptr && to != nullptr && from->end[entry.counter] &&
                          to->end[entry.counter];
    if (!complete) {
      entry.reason =
          fmt::format("{} was not measured in every warm repeat", words_of(entry.counter));
      return;
    }
    entry.measured = *to->end[entry.counter] - *from->end[entry.counter];
    entry.result = entry.excess() ? ruling::exceeded : ruling::within;
  }

  void judge_headroom(const device_record& device, const configuration& each) {
    limit_verdict entry = start(device, counter_id::reserved_peak, limit_scope::headroom,
                                bound::at_least, *each.minimum_headroom);
    entry.line = each.line;
    entry.pointer = "/configurations";
    // Judge the peak against what the capacity leaves, then say the result as headroom.
    limit_verdict peak = start(device, counter_id::reserved_peak, limit_scope::headroom,
                               bound::at_most, device.info.capacity - *each.minimum_headroom);
    rule_on(peak, series_, [](const phase_record& phase) { return !phase.parent; });
    entry.phase = peak.phase;
    entry.pass = peak.pass;
    entry.repeat = peak.repeat;
    entry.result = peak.result;
    entry.reason = peak.reason.empty() ? each.name : peak.reason;
    if (peak.measured) entry.measured = device.info.capacity - *peak.measured;
    result_.limits.push_back(std::move(entry));
  }

  const series_record& series_;
  const budget& against_;
  verdict& result_;
};

}  // namespace

verdict judge(const series_record& series, const budget& against) {
  verdict result;
  if (detail::settle_without_running(series, result)) return result;
  if (std::string other = mismatch(series, against); !other.empty()) {
    result.outcome = outcome::setup_error;
    result.reason = std::move(other);
    return result;
  }
  judging pass(series, against, result);
  for (const device_record& device : series.devices) pass.judge_device(device);
  add_warnings(series, against, result);
  detail::settle(series, against, result);
  return result;
}

}  // namespace headroom
