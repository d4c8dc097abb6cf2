// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/report/budget_report.hpp>
#include <headroom/report/series_report.hpp>
#include <headroom/report/words.hpp>
#include <headroom/series/verdict.hpp>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

using json = nlohmann::ordered_json;

/// The reading with the highest allocated peak of the judged passes.
struct highest_moment {
  const phase_record* phase = nullptr;
  const device_reading* reading = nullptr;
};

highest_moment find_highest(const series_record& series) {
  highest_moment found;
  for (const phase_record& phase : series.phases) {
    if (!series.is_judged_pass(phase)) continue;
    for (const device_reading& reading : phase.readings) {
      const auto value = reading.end[counter_id::allocated_peak];
      if (found.reading == nullptr || *found.reading->end[counter_id::allocated_peak] < *value) {
        found = {&phase, &reading};
      }
    }
  }
  return found;
}

json item(std::string_view name, bytes size, const std::string& why) {
  return {{"name", name}, {"size", size_literal(size)}, {"basis", "assumed"}, {"why", why}};
}

int bits_of(std::string_view dtype) {
  if (dtype.ends_with("64")) return 64;
  if (dtype.ends_with("16")) return 16;
  if (dtype.ends_with("8")) return 8;
  return 32;
}

std::vector<weight_group> weights_by_tag(bytes held, const series_record& series) {
  if (held.n == 0) return {};
  const int bits = bits_of(series.workload.dtype);
  return {{"weights", held.n * 8 / bits, bits, series.workload.dtype}};
}

json reserve_of(const series_record& series, const highest_moment& at, bytes weights) {
  const std::string where = fmt::format("at the allocated peak of {} on {} ({})", at.phase->name,
                                        at.reading->device, standing_words(series.prediction()));
  const bytes peak = *at.reading->end[counter_id::allocated_peak];
  json list = json::array();
  bytes sum = weights;
  const auto& moment = at.reading->end.at_allocated_peak;
  if (moment && moment->by_tag) {
    for (const tag each : all_tags) {
      const bytes held = (*moment->by_tag)[each];
      if (each == tag::weights || held.n == 0) continue;
      list.push_back(item(name_of(each), held,
                          fmt::format("held under this tag {}; say what makes it up", where)));
      sum += held;
    }
  }
  if (sum < peak) {
    list.push_back(item("rest", peak - sum,
                        fmt::format("rounding of blocks and what has no tag, {}; say what makes it "
                                    "up",
                                    where)));
  }
  return list;
}

std::vector<weight_group> weights_of_program(const program_record& program) {
  std::vector<weight_group> groups;
  for (const program_weights& each : program.weights) {
    groups.push_back({"parameters in " + each.dtype, each.parameters, each.bits, each.dtype});
  }
  return groups;
}

/// Of a program, an item for each phase that went above all before it: what it added.
json reserve_of_program(const series_record& series, const highest_moment& at, bytes weights) {
  json list = json::array();
  bytes known = weights;
  const auto raise = [&](const std::string& name, bytes to) {
    if (to <= known) return;
    list.push_back(item(
        name, to - known,
        fmt::format("by so much the allocated peak of {} on {} is above {} ({}); say "
                    "what makes it up",
                    name, at.reading->device, known == weights ? "the weights" : "what came before",
                    standing_words(series.prediction()))));
    known = to;
  };
  for (const phase_peaks& phase : peaks_by_phase(series)) {
    const auto& peak = phase.highest[static_cast<std::size_t>(counter_id::allocated_peak)];
    if (phase.parent && peak && phase.device == at.reading->device) raise(phase.name, *peak);
  }
  raise("between the phases", *at.reading->end[counter_id::allocated_peak]);
  return list;
}

}  // namespace

std::string new_budget_text(const series_record& series, std::span<const weight_group> weights,
                            std::string_view name) {
  if (!ran_whole(series)) {
    throw usage_error(
        fmt::format("the series did not run whole: {}; a budget starts from one that "
                    "did",
                    judge_without_budget(series).reason));
  }
  const auto peaks = judged_peaks(series);
  for (const counter_id id : all_counters) {
    if (peaks[static_cast<std::size_t>(id)]) continue;
    throw usage_error(
        fmt::format("{} was not measured; a budget starts from a series with all "
                    "four counters",
                    words_of(id)));
  }
  const highest_moment at = find_highest(series);
  std::vector<weight_group> groups(weights.begin(), weights.end());
  const auto& moment = at.reading->end.at_allocated_peak;
  if (groups.empty() && moment && moment->by_tag) {
    groups = weights_by_tag((*moment->by_tag)[tag::weights], series);
  }
  if (groups.empty() && series.program) groups = weights_of_program(*series.program);
  budget sums;
  sums.weights = groups;
  json weights_json = json::array();
  for (const weight_group& each : groups) {
    weights_json.push_back(
        {{"name", each.name},
         {"parameters", each.parameters},
         {"bits", each.bits},
         {"compute", each.compute.empty() ? series.workload.dtype : each.compute}});
  }
  json sizes = json::object();
  for (const auto& [key, value] : series.workload.requested.entries()) sizes[key] = value;
  const workload_description& work = series.workload;
  json workload = {{"name", work.name}, {"operation", work.operation}, {"revision", work.revision},
                   {"seed", work.seed}, {"dtype", work.dtype},         {"dimensions", sizes}};
  if (!work.options.empty()) {
    json options = json::object();
    for (const auto& [key, value] : work.options) options[key] = value;
    workload["options"] = options;
  }
  json passes = {{"warmup", series.protocol.warmup}, {"repeats", series.protocol.repeats}};
  if (series.protocol.empty_cache_between_repeats) passes["empty_cache_between_repeats"] = true;
  if (series.protocol.touch) passes["touch"] = true;
  const auto read = [&](counter_id id) {
    return size_literal(*peaks[static_cast<std::size_t>(id)]);
  };
  const json reserve = series.program ? reserve_of_program(series, at, sums.weight_bytes())
                                      : reserve_of(series, at, sums.weight_bytes());
  const bool exact = [&] {
    bytes sum = sums.weight_bytes();
    for (const json& each : reserve) sum += size_from_text(each["size"].get<std::string>());
    return sum == *at.reading->end[counter_id::allocated_peak];
  }();
  json document = {
      {"schema", budget_schema_id},
      {"name", name},
      {"description",
       fmt::format("{}: limits as read on {} ({}); each assumption is for a person to justify",
                   workload_words(work), at.reading->device, standing_words(series.prediction()))},
      {"workload", workload},
      {"protocol", passes},
      {"weights", weights_json},
      {"reserve", reserve},
      {"limits",
       {{"allocated_peak", exact ? std::string("envelope") : read(counter_id::allocated_peak)},
        {"reserved_peak", read(counter_id::reserved_peak)},
        {"allocated_current", read(counter_id::allocated_current)},
        {"reserved_current", read(counter_id::reserved_current)}}},
      {"steady_state", {{"growth", "0 B"}}}};
  if (series.program) {  // it has no passes that headroom runs
    document.erase("protocol");
    document.erase("steady_state");
  }
  std::string text = document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
  static_cast<void>(parse_budget(text, name));
  return text;
}

}  // namespace headroom
