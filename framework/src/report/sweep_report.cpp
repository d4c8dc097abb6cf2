// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/report/chart_svg.hpp>
#include <headroom/report/series_report.hpp>
#include <headroom/report/sweep_report.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

using json = nlohmann::ordered_json;

constexpr auto allocated_peak = static_cast<std::size_t>(counter_id::allocated_peak);
constexpr auto reserved_peak = static_cast<std::size_t>(counter_id::reserved_peak);

std::string outcome_words(const sweep_report& sweep, const sweep_point& point) {
  if (!point.outcome) return "not recorded";
  if (sweep.budget.empty() && point.whole) return "done";
  return std::string(words_of(*point.outcome));
}

json point_json(const sweep_report& sweep, const sweep_point& point) {
  json each = {{"dimension", sweep.dimension}, {"value", point.value}};
  for (const counter_id id : all_counters) {
    const auto& value = point.highest[static_cast<std::size_t>(id)];
    each[fmt::format("{}_bytes", name_of(id))] = value ? json(value->n) : json(nullptr);
  }
  each["outcome"] = point.outcome ? json(name_of(*point.outcome)) : json(nullptr);
  each["whole"] = point.whole;
  each["dominated"] = is_dominated(sweep, point);
  each["note"] = point.note;
  each["prediction"] = sweep.prediction;
  each["artifact"] = point.artifact.empty() ? json(nullptr) : json(point.artifact);
  return each;
}

std::string dump(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace

bool is_dominated(const sweep_report& sweep, const sweep_point& point) {
  if (!point.whole || !point.highest[allocated_peak] || !point.highest[reserved_peak]) return false;
  return std::any_of(sweep.points.begin(), sweep.points.end(), [&](const sweep_point& other) {
    return other.whole && other.value > point.value && other.highest[allocated_peak] &&
           other.highest[reserved_peak] &&
           *other.highest[allocated_peak] <= *point.highest[allocated_peak] &&
           *other.highest[reserved_peak] <= *point.highest[reserved_peak];
  });
}

std::string sweep_text(const sweep_report& sweep) {
  std::string text = wrap(printable(sweep.title), 2) + '\n';
  const auto field = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<11}{}\n", name, wrap_column(printable(value), 13));
  };
  field("device", fmt::format("{} ({})", sweep.device, standing_words(sweep.prediction)));
  field("allocator", sweep.settings);
  if (!sweep.budget.empty()) field("budget", sweep.budget);
  text_table table({align::right, align::left, align::right, align::right, align::right,
                    align::right, align::left});
  table.add({"", "", "allocated", "allocated", "reserved", "reserved", ""});
  table.add({sweep.dimension, "", "at end", "peak", "at end", "peak", "outcome"});
  bool dominated = false;
  for (const sweep_point& point : sweep.points) {
    const bool marked = is_dominated(sweep, point);
    dominated |= marked;
    std::vector<std::string> row{std::to_string(point.value), marked ? "*" : ""};
    for (const auto& value : point.highest) row.push_back(value ? size_words(value) : "-");
    row.push_back(outcome_words(sweep, point));
    table.add(std::move(row));
  }
  text += '\n' + table.text(2);
  if (dominated) {
    text += fmt::format("  * a larger {} has no higher peak\n", sweep.dimension);
  }
  for (const sweep_point& point : sweep.points) {
    if (point.note.empty()) continue;
    const std::string line = fmt::format("{} {}: {}", sweep.dimension, point.value, point.note);
    text += "\n  " + wrap_column(printable(line), 4) + '\n';
  }
  return text;
}

std::string sweep_json(const sweep_report& sweep) {
  json points = json::array();
  for (const sweep_point& point : sweep.points) points.push_back(point_json(sweep, point));
  return dump({{"schema", "headroom-sweep/1"},
               {"workload", sweep.title},
               {"device", sweep.device},
               {"prediction", sweep.prediction},
               {"allocator", sweep.settings},
               {"budget", sweep.budget.empty() ? json(nullptr) : json(sweep.budget)},
               {"dimension", sweep.dimension},
               {"points", points}},
              2);
}

std::string sweep_lines(const sweep_report& sweep) {
  std::string lines;
  for (const sweep_point& point : sweep.points) lines += dump(point_json(sweep, point), -1);
  return lines;
}

std::string sweep_chart(const sweep_report& sweep) {
  line_chart chart;
  chart.title = fmt::format("{} device memory over {}", sweep.prediction ? "Predicted" : "Measured",
                            sweep.dimension);
  chart.subtitle =
      fmt::format("{}; {}, {}", sweep.title, sweep.device, standing_words(sweep.prediction));
  chart.x_title = sweep.dimension;
  chart.y_title = "memory";
  chart.points_only = true;
  for (const counter_id id : all_counters) {
    chart_line line;
    line.name = words_of(id);
    for (const sweep_point& point : sweep.points) {
      const auto& value = point.highest[static_cast<std::size_t>(id)];
      if (value) line.points.push_back({static_cast<double>(point.value), *value});
    }
    chart.lines.push_back(std::move(line));
  }
  for (const sweep_point& point : sweep.points) {
    chart.x_end = std::max(chart.x_end, static_cast<double>(point.value) * 1.05);
    if (point.whole) continue;
    const std::string name =
        fmt::format("{} {}: {}", sweep.dimension, point.value, outcome_words(sweep, point));
    chart.marks.push_back({chart.marks.empty() ? name : "", static_cast<double>(point.value)});
  }
  if (sweep.capacity) chart.levels.push_back({"capacity", *sweep.capacity});
  return line_chart_svg(chart);
}

}  // namespace headroom
