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
                [&](const phase_record& phase) { return phase.name == each.phase; });
    }
    if (local.steady_state_growth) judge_growth(device, *local.steady_state_growth);
    for (const configuration& each : local.configurations) {
      const bool matches = each.device == device.info.id || each.device == device.info.name;
      if (matches && each.minimum_headroom) judge_headroom(device, each);
    }
  }

 private:
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

std::size_t count_of(const verdict& result, ruling which) {
  return static_cast<std::size_t>(
      std::count_if(result.limits.begin(), result.limits.end(),
                    [&](const auto& each) { return each.result == which; }));
}

void say(verdict& result, outcome o, std::string reason) {
  result.outcome = o;
  result.reason = std::move(reason);
}

/// What was rehearsed is no pass, whatever came of it.
void settle_rehearsal(const series_record& series, verdict& result) {
  const device_record* const device = series.rehearsed_device();
  if (device == nullptr) return;
  if (result.outcome == outcome::within) {
    say(result, outcome::unknown,
        device->rehearsed->refused == 0 ? "no such request was made; a rehearsal is no pass"
                                        : "the workload went on; a rehearsal is no pass");
  }
  result.reason = fmt::format("rehearsal {}: {}", device->rehearsed->plan, result.reason);
}

/// What decides before any limit does. @return whether it did
bool settle_without_running(const series_record& series, verdict& result) {
  if (series.skipped) {
    say(result, outcome::skipped, *series.skipped);
  } else if (series.setup_error) {
    say(result, outcome::setup_error, *series.setup_error);
  } else {
    return false;
  }
  return true;
}

/// Which of several devices failed.
std::string place_of(const series_record& series, const phase_error& failure) {
  if (series.devices.size() < 2 || failure.device.empty()) return "";
  return " on " + failure.device;
}

bool settle_failure(const series_record& series, verdict& result) {
  if (const phase_record* failed = series.failed_phase()) {
    const bool refused = failed->error->kind == "out_of_memory";
    say(result, refused ? outcome::out_of_memory : outcome::failed,
        fmt::format("phase {}{}: {}", failed->name, place_of(series, *failed->error),
                    failed->error->message));
    return true;
  }
  for (const check& each : series.checks) {
    if (each.passed) continue;
    say(result, outcome::failed, fmt::format("check {}: {}", each.name, each.detail));
    return true;
  }
  return false;
}

bool settle_other_load(const series_record& series, verdict& result) {
  if (series.executed == series.workload.requested) return false;
  say(result, outcome::unknown,
      fmt::format("the requested load was not validated: asked for {}, ran {}",
                  series.workload.requested.text(), series.executed.text()));
  return true;
}

void settle(const series_record& series, verdict& result) {
  if (settle_failure(series, result)) return;
  if (const auto n = count_of(result, ruling::exceeded); n > 0) {
    return say(result, outcome::exceeded,
               fmt::format("{} of {} limits exceeded", n, result.limits.size()));
  }
  for (const limit_verdict& each : result.limits) {
    if (each.result == ruling::unknown) return say(result, outcome::unknown, each.reason);
  }
  if (settle_other_load(series, result)) return;
  if (count_of(result, ruling::within) == 0) {
    return say(result, outcome::unknown, "no limit was judged: every counter is waived");
  }
  say(result, outcome::within, fmt::format("{} limits kept", count_of(result, ruling::within)));
}

}  // namespace

verdict judge(const series_record& series, const budget& against) {
  verdict result;
  if (settle_without_running(series, result)) return result;
  if (std::string other = mismatch(series, against); !other.empty()) {
    say(result, outcome::setup_error, std::move(other));
    return result;
  }
  judging pass(series, against, result);
  for (const device_record& device : series.devices) pass.judge_device(device);
  add_warnings(series, against, result);
  settle(series, result);
  settle_rehearsal(series, result);
  return result;
}

verdict judge_without_budget(const series_record& series) {
  verdict result;
  if (settle_without_running(series, result)) return result;
  if (!settle_failure(series, result) && !settle_other_load(series, result)) {
    say(result, outcome::within, "no budget: nothing was judged");
  }
  settle_rehearsal(series, result);
  return result;
}

}  // namespace headroom
