// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/report/series_report.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>
#include <nlohmann/json.hpp>

#include "boundary.hpp"

namespace headroom::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr auto allocated_peak = static_cast<std::size_t>(counter_id::allocated_peak);
constexpr auto reserved_peak = static_cast<std::size_t>(counter_id::reserved_peak);

std::string end_words(const fresh_point& point) {
  const stored_artifact& stored = *point.stored;
  const bool alone = !stored.against && stored.result.outcome == outcome::within;
  return alone ? "fits" : std::string(words_of(stored.result.outcome));
}

std::string headline(const boundary_answer& answer) {
  const auto fits = answer.search.largest_that_fits();
  const auto fails = answer.search.smallest_that_fails();
  const std::string& name = answer.asked.dimension;
  if (!fits) {
    return fmt::format("No {} from {} to {} that was tried fits.", name, answer.asked.from,
                       answer.asked.to);
  }
  if (!fails) {
    return fmt::format("Every {} from {} to {} that was tried fits; none above was tried.", name,
                       answer.asked.from, answer.asked.to);
  }
  if (answer.search.monotonic()) {
    return fmt::format("{} {} is the largest that fits, {} the smallest that fails.", name, *fits,
                       *fails);
  }
  return fmt::format(
      "Not one border: {} {} fits although {} fails. The values that were tried stand below.", name,
      *fits, *fails);
}

std::string probes_words(const boundary_search& search) {
  std::string words;
  for (const boundary_probe& each : search.probes) {
    words +=
        fmt::format("{}{} {}", words.empty() ? "" : ", ", each.value, each.fits ? "fits" : "fails");
  }
  return words;
}

json counters_json(const fresh_point& point) {
  const auto peaks = judged_peaks(point.stored->series);
  json object = {{"artifact", point.artifact.string()},
                 {"outcome", name_of(point.stored->result.outcome)},
                 {"reason", point.stored->result.reason},
                 {"prediction", point.stored->series.prediction()}};
  for (const counter_id id : all_counters) {
    const auto& value = peaks[static_cast<std::size_t>(id)];
    object[fmt::format("{}_bytes", name_of(id))] = value ? json(value->n) : json(nullptr);
  }
  return object;
}

json number(const std::optional<std::int64_t>& value) {
  return value ? json(*value) : json(nullptr);
}

}  // namespace

std::string boundary_text(const boundary_answer& answer) {
  const boundary_question& asked = answer.asked;
  std::string text = wrap(printable(workload_words(asked.request.work)), 2) + '\n';
  const auto field = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<11}{}\n", name, wrap_column(printable(value), 13));
  };
  field("searched", fmt::format("{} ({})", asked.request.device.text, standing_words(true)));
  if (asked.request.against) field("budget", asked.request.against->name);
  text += '\n' + wrap(headline(answer), 0) + "\n\n";
  text_table table({align::right, align::left, align::left, align::right, align::right});
  table.add({asked.dimension, "device", "ends", "allocated peak", "reserved peak"});
  const auto row = [&](const boundary_neighbour& each, const fresh_point& point) {
    const auto peaks = judged_peaks(point.stored->series);
    const auto size = [&](std::size_t i) { return peaks[i] ? size_words(peaks[i]) : "-"; };
    const std::string device = point.stored->series.devices.empty()
                                   ? "-"
                                   : printable(point.stored->series.devices.front().info.id);
    table.add({std::to_string(each.value), device, end_words(point), size(allocated_peak),
               size(reserved_peak)});
  };
  for (const boundary_neighbour& each : answer.neighbours) {
    row(each, each.planned);
    if (each.confirmed) row(each, *each.confirmed);
  }
  text += table.text(2);
  text += '\n';
  for (const boundary_neighbour& each : answer.neighbours) {
    text += "  artifact   " + each.planned.artifact.string() + '\n';
    if (each.confirmed) text += "  artifact   " + each.confirmed->artifact.string() + '\n';
  }
  text += '\n' + wrap("Tried: " + probes_words(answer.search), 2) + '\n';
  if (asked.confirm) {
    text += wrap(fmt::format("{} on {} end as searched: {}.",
                             answer.neighbours.size() == 1 ? "The run" : "Both runs",
                             asked.confirm->text, answer.agrees() ? "yes" : "no"),
                 2) +
            '\n';
  } else if (!answer.agrees()) {
    text += "A fresh process ended in another way than the search.\n";
  }
  return text;
}

std::string boundary_json(const boundary_answer& answer) {
  json probes = json::array();
  for (const boundary_probe& each : answer.search.probes) {
    probes.push_back({{"value", each.value}, {"fits", each.fits}});
  }
  json neighbours = json::array();
  for (const boundary_neighbour& each : answer.neighbours) {
    neighbours.push_back(
        {{"value", each.value},
         {"fits", each.fits},
         {"planned", counters_json(each.planned)},
         {"confirmed", each.confirmed ? counters_json(*each.confirmed) : json(nullptr)}});
  }
  const boundary_question& asked = answer.asked;
  const json document = {
      {"schema", "headroom-boundary/1"},
      {"workload", workload_words(asked.request.work)},
      {"device", asked.request.device.text},
      {"budget", asked.request.against ? json(asked.request.against->name) : json(nullptr)},
      {"dimension", asked.dimension},
      {"from", asked.from},
      {"to", asked.to},
      {"largest_that_fits", number(answer.search.largest_that_fits())},
      {"smallest_that_fails", number(answer.search.smallest_that_fails())},
      {"monotonic", answer.search.monotonic()},
      {"agrees", answer.agrees()},
      {"neighbours", neighbours},
      {"probes", probes}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace headroom::cli
