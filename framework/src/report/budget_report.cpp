// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/size_text.hpp>
#include <headroom/report/budget_report.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>
#include <nlohmann/json.hpp>

#include "holders.hpp"

namespace headroom {
namespace {

using json = nlohmann::ordered_json;

std::string bound_words(const std::optional<bytes>& size, bool envelope) {
  if (!size) return "-";
  return format_binary(*size) + (envelope ? " (envelope)" : "");
}

void add_rows(text_table& table, std::string_view where, const limit_set& limits) {
  for (const counter_id id : all_counters) {
    const std::optional<limit>& each = limits[id];
    if (!each) continue;
    const std::string line = each->line > 0 ? std::to_string(each->line) : "-";
    const std::string name = fmt::format("{}{}{}", words_of(id), where.empty() ? "" : ", ", where);
    if (each->waived) {
      table.add({printable(name), "waived", "", line});
    } else {
      table.add({printable(name), bound_words(each->at_most, each->at_most_is_envelope),
                 bound_words(each->at_least, each->at_least_is_envelope), line});
    }
  }
}

std::string limits_text(const budget& resolved, bool general) {
  text_table table({align::left, align::right, align::right, align::right});
  table.add({"limit", "at most", "at least", "line"});
  add_rows(table, "", resolved.limits);
  add_rows(table, "cold", resolved.cold_limits);
  add_rows(table, "warm", resolved.warm_limits);
  if (general) {
    for (const phase_limits& phase : resolved.per_phase) add_rows(table, phase.phase, phase.limits);
  }
  return table.text(4);
}

std::string waivers_text(const budget& resolved) {
  std::string text;
  for (const counter_id id : all_counters) {
    const std::optional<limit>& each = resolved.limits[id];
    if (!each || !each->waived) continue;
    text += fmt::format(
        "    {}\n",
        wrap_column(fmt::format("{} waived: {}", words_of(id), printable(*each->waived)), 4));
  }
  return text;
}

json limit_json(const limit& each) {
  const auto size = [](const std::optional<bytes>& value) {
    return value ? json(value->n) : json(nullptr);
  };
  return {{"at_most_bytes", size(each.at_most)},
          {"at_least_bytes", size(each.at_least)},
          {"envelope", each.at_most_is_envelope},
          {"waived", each.waived ? json(*each.waived) : json(nullptr)},
          {"line", each.line}};
}

json set_json(const limit_set& limits) {
  json object = json::object();
  for (const counter_id id : all_counters) {
    if (limits[id]) object[std::string(name_of(id))] = limit_json(*limits[id]);
  }
  return object;
}

}  // namespace

std::string budget_text(const budget& of) {
  const budget resolved = of.for_device("", "");
  std::string text = fmt::format("{}, {}\n", printable(of.name), printable(of.file));
  if (!of.description.empty()) text += "  " + wrap_column(printable(of.description), 2) + '\n';
  const auto field = [&](std::string_view name, std::string_view value) {
    text += fmt::format("  {:<11}{}\n", name, wrap_column(printable(value), 13));
  };
  field("workload", workload_words(of.workload));
  field("protocol",
        fmt::format(
            "cold pass, {} warmup, {} warm repeats{}{}", of.protocol.warmup, of.protocol.repeats,
            of.protocol.empty_cache_between_repeats ? "; the cache is emptied between repeats" : "",
            of.protocol.touch ? "; libraries are touched before" : ""));
  field("growth", of.steady_state_growth ? fmt::format("at most {} over the warm repeats",
                                                       format_exact(*of.steady_state_growth))
                                         : "not judged");
  text += '\n' + envelope_text(resolved);
  text += "\n  limits, worst of the cold and warm passes; of phases, worst of all occurrences\n";
  text += limits_text(resolved, true) + waivers_text(resolved);
  for (const device_override& each : of.per_device) {
    const budget local = of.for_device(each.device, each.device);
    text += fmt::format("\n  on {}: ", printable(each.device)) + envelope_text(local).substr(2);
    text += limits_text(local, false);
  }
  if (!of.configurations.empty()) text += "\n  configurations\n";
  for (const configuration& each : of.configurations) {
    const std::string least =
        each.minimum_headroom
            ? fmt::format("; at least {} of headroom", format_exact(*each.minimum_headroom))
            : "";
    text += fmt::format(
        "    {}\n",
        wrap_column(fmt::format("{}: {} of {} ({}){}", printable(each.name), printable(each.device),
                                format_exact(each.capacity), name_of(each.basis), least),
                    6));
  }
  if (!of.history.empty()) text += "\n  history\n";
  for (const history_entry& each : of.history) {
    const std::string entry =
        fmt::format("{} {}: {} -> {} on {}: {}", printable(each.date), printable(each.limit),
                    format_binary(each.from), format_binary(each.to), printable(each.device),
                    printable(each.reason));
    text += fmt::format("    {}\n", wrap_column(entry, 6));
  }
  return text;
}

std::string budget_json(const budget& of) {
  const budget resolved = of.for_device("", "");
  json weights = json::array();
  for (const weight_group& each : of.weights) {
    weights.push_back({{"name", each.name},
                       {"parameters", each.parameters},
                       {"bits", each.bits},
                       {"size_bytes", storage_bytes(each).n},
                       {"basis", name_of(basis::computed)}});
  }
  json reserve = json::array();
  for (const reserve_item& each : of.reserve) {
    reserve.push_back({{"name", each.name},
                       {"size_bytes", each.size.n},
                       {"basis", name_of(each.basis)},
                       {"why", each.why}});
  }
  json phases = json::array();
  for (const phase_limits& each : resolved.per_phase) {
    phases.push_back({{"phase", each.phase}, {"limits", set_json(each.limits)}});
  }
  json devices = json::object();
  for (const device_override& each : of.per_device) {
    const budget local = of.for_device(each.device, each.device);
    devices[each.device] = {{"envelope_bytes", local.envelope().n},
                            {"limits", set_json(local.limits)},
                            {"cold", set_json(local.cold_limits)},
                            {"warm", set_json(local.warm_limits)}};
  }
  const json document = {{"schema", "headroom-budget-report/1"},
                         {"name", of.name},
                         {"file", of.file},
                         {"workload", workload_words(of.workload)},
                         {"weights", weights},
                         {"weights_bytes", of.weight_bytes().n},
                         {"reserve", reserve},
                         {"envelope_bytes", of.envelope().n},
                         {"envelope_basis", name_of(of.envelope_basis())},
                         {"limits", set_json(resolved.limits)},
                         {"cold", set_json(resolved.cold_limits)},
                         {"warm", set_json(resolved.warm_limits)},
                         {"phases", phases},
                         {"devices", devices}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace headroom
