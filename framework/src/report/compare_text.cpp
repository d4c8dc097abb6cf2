// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cmath>
#include <headroom/core/size_text.hpp>
#include <headroom/report/compare.hpp>
#include <headroom/report/text_table.hpp>
#include <headroom/report/words.hpp>
#include <nlohmann/json.hpp>

#include "fields.hpp"

namespace headroom {
namespace {

using detail::field;
using detail::to_json;
using json = nlohmann::ordered_json;
using counters = std::array<std::optional<bytes>, counter_count>;

std::string signed_size(bytes size) { return (size.n > 0 ? "+" : "") + format_binary(size); }

void add_row(text_table& table, const std::string& name, std::string_view side,
             const counters& values) {
  std::vector<std::string> row{name, std::string(side)};
  for (const auto& value : values) row.push_back(value ? format_binary(*value) : "-");
  table.add(std::move(row));
}

std::string phases_text(const comparison& of) {
  text_table table(
      {align::left, align::left, align::right, align::right, align::right, align::right});
  table.add({"", "", "allocated", "allocated", "reserved", "reserved"});
  table.add({"phase", "", "at end", "peak", "at end", "peak"});
  bool unread = false;
  for (const phase_pair& pair : of.phases) {
    std::string name = (pair.parent ? "  " : "") + printable(pair.name);
    if (!pair.device.empty()) name += ", " + printable(pair.device);
    if (pair.base == pair.head) {
      add_row(table, name, "both", pair.base);
    } else {
      add_row(table, name, "base", pair.base);
      add_row(table, "", "head", pair.head);
    }
    for (std::size_t i = 0; i < counter_count; ++i) unread |= !pair.base[i] || !pair.head[i];
  }
  return '\n' + table.text(2) + (unread ? "  - is not measured\n" : "") + '\n';
}

std::string change_text(std::string_view name, const counter_change& each) {
  const bytes moved = each.head - each.base;
  std::string words = fmt::format("{} of {}", words_of(each.counter), each.phase);
  if (!each.device.empty()) words += " on " + each.device;
  words += fmt::format(" {}{}", moved.n > 0 ? "+" : "", format_exact(moved));
  const double share = 100.0 * static_cast<double>(moved.n) / static_cast<double>(each.base.n);
  if (each.base.n > 0 && std::abs(share) >= 0.05) words += fmt::format(", {:+.1f} %", share);
  std::string text = field(name, words);
  text += field("", fmt::format("from {} to {}", format_exact(each.base), format_exact(each.head)));
  if (!each.by_tag) return text;
  std::string tags;
  for (const tag one : all_tags) {
    const bytes more = (*each.by_tag)[one];
    if (more.n == 0) continue;
    tags += fmt::format("{}{} {}", tags.empty() ? "" : ", ", name_of(one), signed_size(more));
  }
  if (!tags.empty()) text += field("", "at that moment: " + tags);
  return text;
}

std::string answer_words(const comparison& of) {
  switch (of.result) {
    case comparison_result::no_growth:
      return "no counter of a judged phase grew by more than " + format_exact(of.tolerance);
    case comparison_result::grown:
      return fmt::format("a regression: {} of the four counters grew by more than {}",
                         of.grown.size(), format_exact(of.tolerance));
    case comparison_result::not_comparable:
      return "not comparable: the figures of one say nothing about the other";
    case comparison_result::failed:
      return "a series failed: what it needed is not known";
    case comparison_result::skipped:
      return "a series was skipped: nothing was measured";
    case comparison_result::unknown:
      break;
  }
  return "unknown: a reading that the answer needs is missing";
}

std::string side_words(const compared_artifact& side) {
  return fmt::format("{}, {}", side.file.string(), side.stored.series.created);
}

/// What was built from other sources is what a comparison is for.
std::string revisions_text(const tool_record& base, const tool_record& head) {
  if (base.revision == head.revision) return "";
  return field("revision", fmt::format("{} and {}", base.revision.value_or("not recorded"),
                                       head.revision.value_or("not recorded")));
}

json to_json(const counters& values) {
  json made = json::object();
  for (const counter_id id : all_counters) {
    made[fmt::format("{}_bytes", name_of(id))] = to_json(values[static_cast<std::size_t>(id)]);
  }
  return made;
}

json to_json(const std::vector<counter_change>& changes) {
  json all = json::array();
  for (const counter_change& each : changes) {
    json made = {{"counter", name_of(each.counter)},
                 {"phase", each.phase},
                 {"device", each.device.empty() ? json(nullptr) : json(each.device)},
                 {"base_bytes", each.base.n},
                 {"head_bytes", each.head.n},
                 {"change_bytes", (each.head - each.base).n},
                 {"change_by_tag", nullptr}};
    if (each.by_tag) {
      json tags = json::object();
      for (const tag one : all_tags) {
        tags[fmt::format("{}_bytes", name_of(one))] = (*each.by_tag)[one].n;
      }
      made["change_by_tag"] = tags;
    }
    all.push_back(made);
  }
  return all;
}

json to_json(const compared_artifact& side) {
  const std::optional<std::string>& revision = side.stored.series.tool.revision;
  return {{"file", side.file.string()},
          {"id", side.stored.series.id},
          {"created", side.stored.series.created},
          {"revision", revision ? json(*revision) : json(nullptr)},
          {"outcome", name_of(side.stored.result.outcome)}};
}

}  // namespace

std::string comparison_text(const comparison& of, const compared_artifact& base,
                            const compared_artifact& head) {
  const series_record& series = head.stored.series;
  std::string text = wrap(printable(workload_words(series.workload)), 2) + '\n';
  text += field("base", side_words(base));
  text += field("head", side_words(head));
  text += revisions_text(base.stored.series.tool, series.tool);
  if (of.result == comparison_result::not_comparable) {
    text += '\n';
  } else {
    text += field("device", devices_words(series));
    text += phases_text(of);
  }
  for (const counter_change& each : of.grown) text += change_text("grown", each);
  for (const counter_change& each : of.fallen) text += change_text("fallen", each);
  text += field("outcome", answer_words(of));
  for (const std::string& reason : of.reasons) text += field("because", reason);
  return text;
}

std::string comparison_json(const comparison& of, const compared_artifact& base,
                            const compared_artifact& head) {
  json phases = json::array();
  for (const phase_pair& pair : of.phases) {
    phases.push_back({{"name", pair.name},
                      {"parent", pair.parent ? json(*pair.parent) : json(nullptr)},
                      {"device", pair.device.empty() ? json(nullptr) : json(pair.device)},
                      {"judged", pair.judged},
                      {"base", to_json(pair.base)},
                      {"head", to_json(pair.head)}});
  }
  const json document = {{"schema", "headroom-compare/1"},
                         {"base", to_json(base)},
                         {"head", to_json(head)},
                         {"prediction", head.stored.series.prediction()},
                         {"tolerance_bytes", of.tolerance.n},
                         {"result", name_of(of.result)},
                         {"reasons", of.reasons},
                         {"phases", phases},
                         {"grown", to_json(of.grown)},
                         {"fallen", to_json(of.fallen)}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace headroom
