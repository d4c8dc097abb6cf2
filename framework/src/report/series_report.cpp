// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/size_text.hpp>
#include <headroom/report/artifact_summary.hpp>
#include <headroom/report/failure_text.hpp>
#include <headroom/report/series_report.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>
#include <nlohmann/json.hpp>

#include "fields.hpp"

namespace headroom {
namespace {

using detail::field;
using detail::to_json;
using json = nlohmann::ordered_json;
/// That a table shows: a program may have thousands.
constexpr std::size_t most_phases = 100;
using counters = std::array<std::optional<bytes>, counter_count>;

/// Takes the higher of both; absent when one of them is.
void raise(std::optional<bytes>& known, const std::optional<bytes>& value, bool first) {
  if (first || (known && value && *known < *value)) known = value;
  if (!value) known.reset();
}

void raise(counters& highest, const source_reading& read, bool first) {
  for (const counter_id id : all_counters) {
    raise(highest[static_cast<std::size_t>(id)], read[id], first);
  }
}

bool has_cuda(const series_record& series) {
  return std::any_of(series.devices.begin(), series.devices.end(),
                     [](const auto& each) { return each.info.kind == device_kind::cuda; });
}

std::string protocol_words(const protocol& passes) {
  std::string words =
      fmt::format("cold pass, {} warmup{}, {} warm repeat{}", passes.warmup,
                  passes.warmup == 1 ? "" : "s", passes.repeats, passes.repeats == 1 ? "" : "s");
  if (passes.empty_cache_between_repeats) words += "; the cache is emptied between repeats";
  if (passes.touch) words += "; libraries are touched before";
  if (passes.processes > 1) {
    words += fmt::format("; process {} of {}", passes.process, passes.processes);
  }
  return words;
}

std::string settings_text(const device_record& device) {
  std::string text;
  for (const auto& [name, value] : device.allocator.settings) {
    text += fmt::format(", {}:{}", name, value);
  }
  return device.allocator.name + (text.empty() ? ", defaults" : text);
}

std::string phases_text(const series_record& series) {
  // What an allocator cannot see has a column of its own, where there is a card to read it from.
  const bool outside = has_cuda(series);
  std::vector<align> columns{align::left, align::right, align::right, align::right, align::right};
  std::vector<std::string> above{"", "allocated", "allocated", "reserved", "reserved"};
  std::vector<std::string> names{"phase, highest of all", "at end", "peak", "at end", "peak"};
  if (outside) {
    columns.push_back(align::right);
    above.emplace_back("outside the");
    names.emplace_back("allocator");
  }
  text_table table(columns);
  table.add(above);
  table.add(names);
  std::size_t rows = 0;
  std::size_t left_out = 0;
  for (const phase_peaks& phase : peaks_by_phase(series)) {
    if (rows >= most_phases && !phase.failed) {
      ++left_out;
      continue;
    }
    ++rows;
    std::string name = (phase.parent ? "  " : "") + printable(phase.name);
    if (phase.times > 1) name += fmt::format(" x{}", phase.times);
    if (series.devices.size() > 1) name += ", " + phase.device;
    if (phase.failed) name += ", failed";
    if (phase.not_run) name += ", did not run";
    std::vector<std::string> row{name};
    for (const auto& size : phase.highest) {
      row.push_back(phase.not_run && !size ? "-" : size_words(size));
    }
    if (outside) {
      row.push_back(phase.not_run && !phase.outside ? "-" : size_words(phase.outside));
    }
    table.add(std::move(row));
  }
  std::string text = table.text(2);
  if (left_out > 0) text += fmt::format("  and {} more phases, in the artifact\n", left_out);
  return text;
}

}  // namespace

std::vector<phase_peaks> peaks_by_phase(const series_record& series) {
  std::vector<phase_peaks> all;
  const auto entry = [&](const phase_record& phase, const std::string& device) -> phase_peaks& {
    for (phase_peaks& known : all) {
      if (known.name == phase.name && known.parent == phase.parent && known.device == device) {
        return known;
      }
    }
    all.push_back({phase.name, phase.parent, device, 0, false, false, {}, {}});
    return all.back();
  };
  const std::string only = series.devices.empty() ? "" : series.devices.front().info.id;
  for (const phase_record& phase : series.phases) {
    if (phase.status == phase_status::not_run) {
      phase_peaks& known = entry(phase, only);
      known.not_run = true;
      ++known.times;
      continue;
    }
    for (const device_reading& reading : phase.readings) {
      phase_peaks& known = entry(phase, reading.device);
      raise(known.highest, reading.end, known.times == 0);
      raise(known.outside, reading.outside, known.times == 0);
      known.failed |= phase.status == phase_status::failed;
      ++known.times;
    }
  }
  return all;
}

counters judged_peaks(const series_record& series) {
  counters highest;
  bool first = true;
  for (const phase_record& phase : series.phases) {
    if (!series.is_judged_pass(phase)) continue;
    if (phase.status != phase_status::ok || phase.readings.empty()) return {};
    for (const device_reading& reading : phase.readings) {
      raise(highest, reading.end, first);
      first = false;
    }
  }
  return highest;
}

std::string size_words(const std::optional<bytes>& size) {
  return size ? format_binary(*size) : "not measured";
}

std::string series_text(const series_record& series, const verdict& result, const budget* against,
                        const std::filesystem::path& artifact) {
  std::string text = printable(workload_words(series.workload)) + '\n';
  text = wrap(text, 2);
  text += field("device", devices_words(series));
  for (const device_record& device : series.devices) {
    text += field("allocator", settings_text(device));
  }
  text += field("protocol",
                series.program ? "the program once, as it is" : protocol_words(series.protocol));
  for (const auto& [name, value] : series.settings) text += field("setting", name + " " + value);
  text += '\n' + phases_text(series) + '\n';
  if (against != nullptr && result.outcome != outcome::within) {
    return text + failure_text(series, result, *against, artifact);
  }
  if (against != nullptr) {
    text += field("outcome", fmt::format("{}: {}, {}", words_of(result.outcome), against->name,
                                         result.reason));
  } else if (result.outcome == outcome::within) {
    text += field("outcome", "done; no budget was given, so nothing was judged");
  } else {
    text += field("outcome", fmt::format("{}: {}", words_of(result.outcome), result.reason));
  }
  for (const std::string& warning : result.warnings) text += field("warning", warning);
  return text + "  artifact   " + artifact.string() + '\n';
}

std::string series_json(const series_record& series, const verdict& result, const budget* against,
                        const std::filesystem::path& artifact) {
  json phases = json::array();
  for (const phase_peaks& phase : peaks_by_phase(series)) {
    json each = {{"name", phase.name},
                 {"parent", phase.parent ? json(*phase.parent) : json(nullptr)},
                 {"device", phase.device},
                 {"times", phase.times},
                 {"status", phase.failed    ? "failed"
                            : phase.not_run ? "not_run"
                                            : "ok"}};
    for (const counter_id id : all_counters) {
      each[fmt::format("{}_bytes", name_of(id))] =
          to_json(phase.highest[static_cast<std::size_t>(id)]);
    }
    each["outside_allocator_bytes"] = to_json(phase.outside);
    phases.push_back(each);
  }
  json devices = json::array();
  for (const device_record& device : series.devices) devices.push_back(device.info.id);
  const json document = {{"schema", "headroom-measure/1"},
                         {"artifact", artifact.string()},
                         {"workload", workload_words(series.workload)},
                         {"devices", devices},
                         {"prediction", series.prediction()},
                         {"budget", against != nullptr ? json(against->name) : json(nullptr)},
                         {"outcome", name_of(result.outcome)},
                         {"reason", result.reason},
                         {"warnings", result.warnings},
                         {"phases", phases}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace headroom
