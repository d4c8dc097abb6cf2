// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The one outcome of a series, from its limits' rulings and from how it ran.
#include <fmt/format.h>

#include <algorithm>

#include "judge_parts.hpp"

namespace headroom {
namespace {

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

/// What a program did on an emulated card that a real one could answer with memory. @return whether
/// it decides
bool settle_not_modelled(const series_record& series, const budget* against, verdict& result) {
  if (!series.program) return false;
  std::string names;
  for (const unmodelled_call& each : series.program->unmodelled) {
    if (!each.may_allocate || (against != nullptr && against->accepts(each.name))) continue;
    names += (names.empty() ? "" : ", ") + each.name;
  }
  if (names.empty()) return false;
  say(result, outcome::unknown,
      fmt::format(
          "{} memory: {}; accept by name in the budget's \"accepted_calls\", with the reason",
          series.program->counted ? "not counted, and took"
                                  : "not modelled by the emulated card, and could have taken",
          names));
  return true;
}

/// What the program ran may not be what was asked for.
bool settle_doubt(const series_record& series, verdict& result) {
  if (!series.program || !series.program->doubt) return false;
  say(result, outcome::unknown, *series.program->doubt);
  return true;
}

void settle_by_limits(const series_record& series, const budget& against, verdict& result) {
  if (settle_failure(series, result)) return;
  if (const auto n = count_of(result, ruling::exceeded); n > 0) {
    return say(result, outcome::exceeded,
               fmt::format("{} of {} limits exceeded", n, result.limits.size()));
  }
  for (const limit_verdict& each : result.limits) {
    if (each.result == ruling::unknown) return say(result, outcome::unknown, each.reason);
  }
  if (settle_doubt(series, result) || settle_not_modelled(series, &against, result)) return;
  if (settle_other_load(series, result)) return;
  if (count_of(result, ruling::within) == 0) {
    return say(result, outcome::unknown, "no limit was judged: every counter is waived");
  }
  say(result, outcome::within, fmt::format("{} limits kept", count_of(result, ruling::within)));
}

}  // namespace

namespace detail {

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

void settle(const series_record& series, const budget& against, verdict& result) {
  settle_by_limits(series, against, result);
  settle_rehearsal(series, result);
}

}  // namespace detail

verdict judge_without_budget(const series_record& series) {
  verdict result;
  if (detail::settle_without_running(series, result)) return result;
  if (!settle_failure(series, result) && !settle_doubt(series, result) &&
      !settle_not_modelled(series, nullptr, result) && !settle_other_load(series, result)) {
    say(result, outcome::within, "no budget: nothing was judged");
  }
  settle_rehearsal(series, result);
  return result;
}

}  // namespace headroom
