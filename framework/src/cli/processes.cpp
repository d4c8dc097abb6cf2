// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "processes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/report/series_report.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>
#include <headroom/series/environment.hpp>
#include <nlohmann/json.hpp>

#include "option_values.hpp"
#include "progress.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
using counters = std::array<std::optional<bytes>, counter_count>;

fs::path numbered(const fs::path& path, int number) {
  std::string name = path.filename().string();
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  return path.parent_path() / fmt::format("{}.{}.json", name, number);
}

fs::path chosen_path(const fs::path& path, const measure_request& request) {
  if (!path.empty()) return path;
  fs::create_directories(artifact_folder());
  return artifact_folder() / fmt::format("{}.processes-{}.json", request.work.name, ::getpid());
}

counters peaks_of(const fresh_point& point) {
  return point.stored ? judged_peaks(point.stored->series) : counters{};
}

std::string outcome_of(const fresh_point& point, const measure_request& request) {
  if (!point.stored) return point.message;
  const verdict& result = point.stored->result;
  const bool alone = !request.against && result.outcome == outcome::within;
  return alone ? "done" : std::string(words_of(result.outcome));
}

/// Lowest and highest of a counter over all processes; absent when one has no reading.
std::pair<counters, counters> spread_of(const process_series& all) {
  std::pair<counters, counters> spread;
  for (std::size_t i = 0; i < counter_count; ++i) {
    for (const fresh_point& point : all.points) {
      const std::optional<bytes> value = peaks_of(point)[i];
      if (!value) {
        spread.first[i].reset();
        spread.second[i].reset();
        break;
      }
      spread.first[i] = std::min(spread.first[i].value_or(*value), *value);
      spread.second[i] = std::max(spread.second[i].value_or(*value), *value);
    }
  }
  return spread;
}

/// Whether the readings are predictions; absent where no process left any.
std::optional<bool> prediction_of(const process_series& all) {
  for (const fresh_point& point : all.points) {
    if (point.stored) return point.stored->series.prediction();
  }
  return std::nullopt;
}

json counters_json(const counters& values) {
  json object = json::object();
  for (const counter_id id : all_counters) {
    const auto& value = values[static_cast<std::size_t>(id)];
    object[fmt::format("{}_bytes", name_of(id))] = value ? json(value->n) : json(nullptr);
  }
  return object;
}

}  // namespace

process_series run_in_processes(const console& io, const measure_request& request,
                                const fs::path& path) {
  process_series all{request, {}, exit_code::done};
  const fs::path base = chosen_path(path, request);
  for (int i = 1; i <= request.passes.processes; ++i) refuse_existing(numbered(base, i));
  const interrupt_guard guard;
  const progress shown(io);
  for (int i = 1; i <= request.passes.processes && interrupt_guard::received() == 0; ++i) {
    shown.say(fmt::format("process {} of {}", i, request.passes.processes));
    measure_request one = request;
    one.passes.process = i;
    all.points.push_back(run_point(io, one, numbered(base, i)));
    all.worst = worse(all.worst, all.points.back().code);
    // What ends the first process this way ends each.
    const bool ran = all.points.back().stored.has_value();
    if (!ran && all.points.back().code == exit_code::invalid_input) {
      throw usage_error(all.points.back().message);
    }
  }
  return all;
}

std::string processes_text(const process_series& all) {
  const protocol& passes = all.request.passes;
  std::string text = wrap(printable(workload_words(all.request.work)), 2) + '\n';
  const std::optional<bool> prediction = prediction_of(all);
  text += fmt::format("  device     {}{}\n", all.request.device.text,
                      prediction ? fmt::format(" ({})", standing_words(*prediction)) : "");
  text += fmt::format("  protocol   {} fresh processes, each: cold pass, {} warmup, {} warm\n\n",
                      passes.processes, passes.warmup, passes.repeats);
  text_table table(
      {align::right, align::right, align::right, align::right, align::right, align::left});
  table.add({"", "allocated", "allocated", "reserved", "reserved", ""});
  table.add({"process", "at end", "peak", "at end", "peak", "outcome"});
  const auto row = [&](std::string name, const counters& values, std::string outcome) {
    std::vector<std::string> cells{std::move(name)};
    for (const auto& value : values) cells.push_back(value ? size_words(value) : "-");
    cells.push_back(std::move(outcome));
    table.add(std::move(cells));
  };
  for (std::size_t i = 0; i < all.points.size(); ++i) {
    row(std::to_string(i + 1), peaks_of(all.points[i]), outcome_of(all.points[i], all.request));
  }
  const auto [lowest, highest] = spread_of(all);
  row("lowest", lowest, "");
  row("highest", highest, "");
  text += table.text(2) + '\n';
  for (const fresh_point& point : all.points) {
    text += "  artifact   " + point.artifact.string() + '\n';
  }
  return text;
}

std::string processes_json(const process_series& all) {
  json list = json::array();
  for (const fresh_point& point : all.points) {
    json each = {
        {"artifact", point.stored ? json(point.artifact.string()) : json(nullptr)},
        {"outcome", point.stored ? json(name_of(point.stored->result.outcome)) : json(nullptr)},
        {"message", point.message},
        {"exit_code", static_cast<int>(point.code)}};
    each.update(counters_json(peaks_of(point)));
    list.push_back(each);
  }
  const auto [lowest, highest] = spread_of(all);
  const std::optional<bool> prediction = prediction_of(all);
  const json document = {{"schema", "headroom-processes/1"},
                         {"workload", workload_words(all.request.work)},
                         {"device", all.request.device.text},
                         {"prediction", prediction ? json(*prediction) : json(nullptr)},
                         {"processes", list},
                         {"lowest", counters_json(lowest)},
                         {"highest", counters_json(highest)}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace headroom::cli
