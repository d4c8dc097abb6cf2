// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/report/compare.hpp>
#include <headroom/report/series_report.hpp>
#include <headroom/report/words.hpp>
#include <headroom/series/comparable.hpp>

namespace headroom {
namespace {

/// Where a device stands among those of its series: plan:24GB is compared with plan:48GB.
std::size_t place_of(const series_record& series, const std::string& device) {
  const auto found =
      std::find_if(series.devices.begin(), series.devices.end(),
                   [&](const device_record& each) { return each.info.id == device; });
  return static_cast<std::size_t>(found - series.devices.begin());
}

bool is_whole(const phase_peaks& phase) { return !phase.failed && !phase.not_run; }

const std::string& named_by(const series_record& series, const phase_peaks& phase) {
  static const std::string none;
  return series.devices.size() > 1 ? phase.device : none;
}

std::vector<phase_pair> pairs_of(const series_record& base, const series_record& head) {
  std::vector<phase_peaks> others = peaks_by_phase(base);
  std::vector<phase_pair> all;
  for (const phase_peaks& phase : peaks_by_phase(head)) {
    phase_pair pair{
        phase.name, phase.parent, named_by(head, phase), place_of(head, phase.device), false, {},
        {}};
    if (is_whole(phase)) pair.head = phase.highest;
    const auto other = std::find_if(others.begin(), others.end(), [&](const phase_peaks& each) {
      return each.name == phase.name && each.parent == phase.parent &&
             place_of(base, each.device) == pair.place;
    });
    if (other != others.end()) {
      const bool warmup = phase.name == "warmup" || phase.parent == "warmup";
      pair.judged = is_whole(phase) && is_whole(*other) && !warmup;
      if (is_whole(*other)) pair.base = other->highest;
      others.erase(other);
    }
    all.push_back(std::move(pair));
  }
  for (const phase_peaks& phase : others) {
    all.push_back({phase.name,
                   phase.parent,
                   named_by(base, phase),
                   place_of(base, phase.device),
                   false,
                   {},
                   {}});
    if (is_whole(phase)) all.back().base = phase.highest;
  }
  return all;
}

const tag_table* tags_of(const series_record& series, const phase_pair& pair, bytes peak) {
  for (const phase_record& phase : series.phases) {
    if (phase.name != pair.name || phase.parent != pair.parent) continue;
    for (const device_reading& reading : phase.readings) {
      if (place_of(series, reading.device) != pair.place) continue;
      const auto& moment = reading.end.at_allocated_peak;
      if (reading.end[counter_id::allocated_peak] == peak && moment && moment->by_tag) {
        return &*moment->by_tag;
      }
    }
  }
  return nullptr;
}

counter_change change_of(const stored_artifact& base, const stored_artifact& head,
                         const phase_pair& pair, counter_id id) {
  const auto at = static_cast<std::size_t>(id);
  counter_change made{id, pair.name, pair.device, *pair.base[at], *pair.head[at], {}};
  if (id != counter_id::allocated_peak) return made;
  const tag_table* const before = tags_of(base.series, pair, made.base);
  const tag_table* const after = tags_of(head.series, pair, made.head);
  if (before == nullptr || after == nullptr) return made;
  made.by_tag.emplace();
  for (const tag each : all_tags) (*made.by_tag)[each] = (*after)[each] - (*before)[each];
  return made;
}

/// Where the counter moved most in one direction. @param sign  1 for growth, -1 for a fall
const phase_pair* most_moved(const comparison& all, counter_id id, int sign) {
  const auto at = static_cast<std::size_t>(id);
  const phase_pair* found = nullptr;
  bytes most = all.tolerance;
  for (const phase_pair& pair : all.phases) {
    if (!pair.judged || !pair.base[at] || !pair.head[at]) continue;
    const bytes moved =
        sign > 0 ? *pair.head[at] - *pair.base[at] : *pair.base[at] - *pair.head[at];
    if (moved <= most) continue;
    most = moved;
    found = &pair;
  }
  return found;
}

/// The counters that a judged phase lacks.
std::vector<std::string> unread_of(const comparison& all) {
  std::vector<std::string> reasons;
  for (const counter_id id : all_counters) {
    const auto at = static_cast<std::size_t>(id);
    const auto lacks = std::find_if(all.phases.begin(), all.phases.end(), [&](const auto& pair) {
      return pair.judged && !(pair.base[at] && pair.head[at]);
    });
    if (lacks == all.phases.end()) continue;
    reasons.push_back(fmt::format("the {} of {} was not measured in {}", words_of(id), lacks->name,
                                  lacks->base[at]   ? "head"
                                  : lacks->head[at] ? "base"
                                                    : "either"));
  }
  return reasons;
}

/// A series that did not run whole has no figures for a part of its phases.
void note_end(comparison& all, std::string_view side, const stored_artifact& of) {
  if (ran_whole(of.series)) return;
  all.reasons.push_back(
      fmt::format("{} ended as {}: {}", side, words_of(of.result.outcome), of.result.reason));
  switch (of.result.outcome) {
    case outcome::out_of_memory:
    case outcome::failed:
      all.result = comparison_result::failed;
      return;
    case outcome::skipped:
      if (all.result != comparison_result::failed) all.result = comparison_result::skipped;
      return;
    default:
      return;  // unknown, as it is
  }
}

}  // namespace

std::string_view name_of(comparison_result result) {
  switch (result) {
    case comparison_result::no_growth:
      return "no_growth";
    case comparison_result::grown:
      return "grown";
    case comparison_result::unknown:
      return "unknown";
    case comparison_result::not_comparable:
      return "not_comparable";
    case comparison_result::failed:
      return "failed";
    case comparison_result::skipped:
      return "skipped";
  }
  return "";
}

comparison compare(const stored_artifact& base, const stored_artifact& head, bytes tolerance) {
  comparison all;
  all.tolerance = tolerance;
  all.reasons = why_not_comparable(base.series, head.series);
  if (!all.reasons.empty()) {
    all.result = comparison_result::not_comparable;
    return all;
  }
  all.phases = pairs_of(base.series, head.series);
  for (const counter_id id : all_counters) {
    if (const phase_pair* const pair = most_moved(all, id, 1)) {
      all.grown.push_back(change_of(base, head, *pair, id));
    }
    if (const phase_pair* const pair = most_moved(all, id, -1)) {
      all.fallen.push_back(change_of(base, head, *pair, id));
    }
  }
  note_end(all, "base", base);
  note_end(all, "head", head);
  if (!all.reasons.empty()) return all;
  all.reasons = unread_of(all);
  if (std::none_of(all.phases.begin(), all.phases.end(),
                   [](const auto& pair) { return pair.judged; })) {
    all.reasons.emplace_back("no phase ran in both");
  }
  if (!all.grown.empty()) {
    all.result = comparison_result::grown;
  } else {
    all.result = all.reasons.empty() ? comparison_result::no_growth : comparison_result::unknown;
  }
  return all;
}

}  // namespace headroom
