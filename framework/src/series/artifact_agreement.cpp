// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/quoted_text.hpp>
#include <map>
#include <set>
#include <utility>

#include "artifact_fields.hpp"

namespace headroom::detail {
namespace {

bool same(const counter_spread& a, const counter_spread& b) {
  return a.device == b.device && a.counter == b.counter && a.lowest == b.lowest &&
         a.highest == b.highest;
}

void check_devices(const json_node& root, const series_record& series, problem_list& problems) {
  std::set<std::string> known;
  const json_node& devices = *root.find("devices");
  for (std::size_t i = 0; i < series.devices.size(); ++i) {
    if (!known.insert(series.devices[i].info.id).second) {
      problems.add(devices.children[i],
                   fmt::format("a second device {}", quoted_text(series.devices[i].info.id)));
    }
  }
  const json_node& phases = *root.find("phases");
  for (std::size_t i = 0; i < series.phases.size(); ++i) {
    std::set<std::string> read;
    for (const device_reading& reading : series.phases[i].readings) {
      if (!known.contains(reading.device)) {
        problems.add(phases.children[i], fmt::format("a reading of device {}, which is not listed",
                                                     quoted_text(reading.device)));
      } else if (!read.insert(reading.device).second) {
        problems.add(phases.children[i],
                     fmt::format("a second reading of device {}", quoted_text(reading.device)));
      }
    }
  }
}

/// What the allocator does not hold is said of every reading of a card, and of no other.
void check_outside(const json_node& root, const series_record& series, problem_list& problems) {
  std::set<std::string> cards;
  for (const device_record& each : series.devices) {
    if (each.info.kind == device_kind::cuda) cards.insert(each.info.id);
  }
  const json_node& phases = *root.find("phases");
  for (std::size_t i = 0; i < series.phases.size(); ++i) {
    const std::vector<json_node>& readings = phases.children[i].find("readings")->children;
    for (std::size_t j = 0; j < series.phases[i].readings.size(); ++j) {
      const bool card = cards.contains(series.phases[i].readings[j].device);
      for (const std::string_view moment : {"begin", "end"}) {
        const json_node& at = *readings[j].find("system")->find(moment);
        if ((at.find("outside_allocator_bytes") != nullptr) == card) continue;
        problems.add(at, card ? "\"outside_allocator_bytes\" is missing; it is null where it was "
                                "not measured"
                              : "\"outside_allocator_bytes\" is of cuda devices alone");
      }
    }
  }
}

/// Retries and refusals are counted from the device's beginning on. Phases without a parent follow
/// one another.
void check_counts(const json_node& root, const series_record& series, problem_list& problems) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> before;
  for (std::size_t i = 0; i < series.phases.size(); ++i) {
    if (series.phases[i].parent) continue;
    for (const device_reading& reading : series.phases[i].readings) {
      auto& [retries, refusals] = before[reading.device];
      const std::int64_t retries_now = reading.end.retries.value_or(retries);
      const std::int64_t refusals_now = reading.end.refusals.value_or(refusals);
      if (retries_now < retries || refusals_now < refusals) {
        problems.add(root.find("phases")->children[i],
                     "fewer retries or refusals than in the phase before; they are counted from "
                     "the device's beginning on");
      }
      retries = retries_now;
      refusals = refusals_now;
    }
  }
}

/// Why a run that calls itself within its budget was not; "" when it was.
std::string why_not_within(const stored_artifact& read) {
  if (const phase_record* failed = read.series.failed_phase()) {
    return fmt::format("phase {} failed", quoted_text(failed->name));
  }
  for (const check& each : read.series.checks) {
    if (!each.passed) return fmt::format("check {} did not pass", quoted_text(each.name));
  }
  for (const limit_verdict& each : read.result.limits) {
    if (each.result == ruling::exceeded || each.result == ruling::unknown) {
      return fmt::format("a limit of {} is {}", words_of(each.counter), name_of(each.result));
    }
  }
  if (read.series.rehearsed_device() != nullptr) return "out of memory was rehearsed";
  if (read.series.setup_error || read.series.skipped) return "the workload was not run";
  if (!(read.series.executed == read.series.workload.requested)) {
    return "the executed dimensions are not the requested ones";
  }
  return "";
}

void check_outcome(const json_node& at, const stored_artifact& read, problem_list& problems) {
  const std::vector<limit_verdict>& limits = read.result.limits;
  const bool any_exceeded = std::any_of(limits.begin(), limits.end(), [](const auto& each) {
    return each.result == ruling::exceeded;
  });
  if (read.result.outcome == outcome::within) {
    if (const std::string why = why_not_within(read); !why.empty()) {
      problems.add(at, fmt::format("the outcome is \"within\", but {}", why));
    }
  } else if (read.result.outcome == outcome::exceeded && !any_exceeded) {
    problems.add(at, "the outcome is \"exceeded\", but no limit is");
  }
  if ((read.result.outcome == outcome::skipped) != read.series.skipped.has_value()) {
    problems.add(at, "the outcome and \"skipped\" contradict each other");
  }
}

}  // namespace

void check_agreement(const json_node& root, const stored_artifact& read,
                     const std::vector<counter_spread>& spreads, problem_list& problems) {
  check_devices(root, read.series, problems);
  check_outside(root, read.series, problems);
  check_counts(root, read.series, problems);
  if (root.find("prediction")->truth != read.series.prediction()) {
    problems.add(*root.find("prediction"),
                 read.series.prediction()
                     ? "not every device is a real GPU: this is a prediction, never a measurement"
                     : "every device is a real GPU: this is no prediction");
  }
  const std::vector<counter_spread> own = spreads_of(read.series);
  if (!std::equal(own.begin(), own.end(), spreads.begin(), spreads.end(), same)) {
    problems.add(*root.find("spread"), "the spread is not that of the warm phases");
  }
  check_outcome(*root.find("outcome"), read, problems);
}

}  // namespace headroom::detail
