// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/json_edit.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/report/limit_update.hpp>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

constexpr std::int64_t whole = 10'000;  // hundredths of a percent
constexpr auto replace_bad = nlohmann::json::error_handler_t::replace;

bool is_limit_of_readings(const limit_verdict& each) {
  return each.bound == bound::at_most && each.scope != limit_scope::growth &&
         each.scope != limit_scope::headroom && !each.pointer.empty();
}

std::string what_of(const limit_verdict& each) {
  std::string what(words_of(each.counter));
  if (each.scope == limit_scope::cold || each.scope == limit_scope::warm) {
    what += fmt::format(", {}", name_of(each.scope));
  }
  if (each.scope == limit_scope::phase) {
    // Only the pointer knows the phase of a limit without a reading.
    what += each.phase.empty() ? std::string(", one phase") : ", " + each.phase;
  }
  if (each.pointer.starts_with("/devices/")) what += " on " + each.device;
  return what;
}

/// "allocated_peak" of "/limits/allocated_peak"
std::string_view counter_of(std::string_view pointer) {
  return pointer.substr(pointer.rfind('/') + 1);
}

bool names(const std::string& name, const std::string& pointer) {
  if (name == "all" || name == pointer) return true;
  // A counter alone means the limit of whole passes.
  return pointer.starts_with("/limits/") && counter_of(pointer) == name;
}

void refuse_unfit(const budget& of, std::span<const update_source> sources, const verdict& result,
                  const update_source& source) {
  const auto refuse = [&](std::string_view why) {
    throw usage_error(fmt::format("{}: {}; limits come from whole series of the budget's workload",
                                  source.file, why));
  };
  if (result.outcome == outcome::setup_error || result.outcome == outcome::skipped ||
      !ran_whole(source.stored.series)) {
    refuse(result.reason);
  }
  if (!(source.stored.series.executed == of.workload.requested)) {
    refuse("the requested load was not run");
  }
  const protocol& first = sources.front().stored.series.protocol;
  const protocol& own = source.stored.series.protocol;
  if (own.empty_cache_between_repeats != first.empty_cache_between_repeats ||
      own.processes != first.processes || own.touch != first.touch) {
    throw usage_error(fmt::format("{} and {}: series of different protocols are never mixed",
                                  sources.front().file, source.file));
  }
}

void gather(const verdict& result, std::size_t source, std::vector<limit_change>& changes) {
  for (const limit_verdict& each : result.limits) {
    if (!is_limit_of_readings(each) || each.result == ruling::waived) continue;
    auto at = std::find_if(changes.begin(), changes.end(),
                           [&](const auto& known) { return known.pointer == each.pointer; });
    if (at == changes.end()) {
      changes.push_back({each.pointer,
                         each.line,
                         what_of(each),
                         each.limit,
                         {},
                         {},
                         each.from_envelope ? update_action::from_envelope : update_action::keep,
                         "",
                         source});
      at = std::prev(changes.end());
    }
    const bool missing = each.result == ruling::unknown;
    if (missing && at->action != update_action::from_envelope) {
      at->action = update_action::not_measured;
    }
    if (each.measured && (!at->reading || *at->reading < *each.measured)) {
      at->reading = each.measured;
      at->phase = each.phase;
      at->source = source;
    }
  }
}

void settle(limit_change& change, const update_request& request) {
  const bool named =
      std::any_of(request.named.begin(), request.named.end(),
                  [&](const std::string& name) { return names(name, change.pointer); });
  if (change.action != update_action::keep || !change.reading || !change.from) return;
  if (!request.named.empty() && !named) return;
  const bytes wanted = request.margin.above(*change.reading);
  if (wanted == *change.from) return;
  change.to = wanted;
  change.action = wanted < *change.from ? update_action::lower
                  : named               ? update_action::raise
                                        : update_action::not_asked;
  // What is within its limit is not raised by the margin alone unless that was asked for.
  if (change.action == update_action::not_asked && *change.reading <= *change.from) {
    change.action = update_action::keep;
    change.to.reset();
  }
}

bool is_written(const limit_change& change) {
  return change.action == update_action::raise || change.action == update_action::lower;
}

void refuse_unknown_names(const update_request& request, std::span<const limit_change> changes) {
  for (const std::string& name : request.named) {
    const bool known = std::any_of(changes.begin(), changes.end(), [&](const limit_change& each) {
      return names(name, each.pointer);
    });
    if (known) continue;
    std::vector<std::string_view> all;
    for (const limit_change& each : changes) {
      all.push_back(each.pointer);
      if (each.pointer.starts_with("/limits/")) all.push_back(counter_of(each.pointer));
    }
    const std::string_view nearest = nearest_name(name, all);
    throw usage_error(fmt::format(
        "--limit {}: no limit with readings is called so; {}", quoted_text(name),
        nearest.empty() ? "write one of " + list_of(all) : fmt::format("write \"{}\"", nearest)));
  }
  for (const limit_change& each : changes) {
    const bool named = std::any_of(
        request.named.begin(), request.named.end(),
        [&](const std::string& name) { return name != "all" && names(name, each.pointer); });
    if (named && each.action == update_action::from_envelope) {
      throw usage_error(fmt::format(
          "--limit {}: it is the envelope; change a reserve item, with its reason, or write a size "
          "in its place",
          each.pointer));
    }
  }
}

}  // namespace

bytes margin_rule::above(bytes reading) const {
  const std::int64_t rest = (reading.n % whole * hundredths_of_a_percent + whole - 1) / whole;
  std::int64_t sum = 0;
  const bool fits = checked_multiply(reading.n / whole, hundredths_of_a_percent, sum) &&
                    checked_add(sum, rest, sum) && checked_add(sum, reading.n, sum) &&
                    checked_add(sum, size.n, sum);
  if (!fits)
    throw usage_error(fmt::format("--margin {}: the new limit does not fit 64 bits", text));
  return bytes{sum};
}

margin_rule parse_margin(std::string_view text) {
  margin_rule rule{std::string(text), 0, {}};
  if (!text.ends_with('%')) {
    const size_result size = parse_size(text);
    if (size.value) {
      rule.size = *size.value;
      return rule;
    }
  } else {
    std::string_view number = text.substr(0, text.size() - 1);
    if (number.ends_with(' ')) number.remove_suffix(1);
    // "2.5" as a size of 100 has no rounding: "2.5 kB" is 2500 B.
    const size_result thousandths = parse_size(std::string(number) + " kB");
    const std::size_t point = number.find('.');
    const bool fine = point == std::string_view::npos || number.size() - point <= 3;
    if (thousandths.value && fine && thousandths.value->n <= 1'000'000) {
      rule.hundredths_of_a_percent = thousandths.value->n / 10;
      return rule;
    }
  }
  throw usage_error(
      fmt::format("--margin {}: write a share of the reading up to 1000%, with at most two "
                  "decimals, or a size: 5%, 2.5%, \"64 MiB\", \"0 B\"",
                  quoted_text(text)));
}

std::vector<limit_change> plan_update(const budget& of, std::span<const update_source> sources,
                                      const update_request& request) {
  std::vector<limit_change> changes;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const verdict result = judge(sources[i].stored.series, of);
    refuse_unfit(of, sources, result, sources[i]);
    gather(result, i, changes);
  }
  refuse_unknown_names(request, changes);
  for (limit_change& each : changes) settle(each, request);
  return changes;
}

std::string updated_text(const budget& of, std::span<const update_source> sources,
                         const update_request& request, std::span<const limit_change> changes) {
  std::string text = of.source;
  for (const limit_change& change : changes) {
    if (!is_written(change)) continue;
    auto span = find_json_value(text, change.pointer + "/at_most");
    if (!span) span = find_json_value(text, change.pointer);
    if (!span) {
      throw usage_error(
          fmt::format("{}: the limit {} cannot be found in the text; change it by "
                      "hand",
                      of.file, change.pointer));
    }
    text.replace(span->begin, span->end - span->begin,
                 fmt::format("\"{}\"", size_literal(*change.to)));
  }
  for (const limit_change& change : changes) {
    if (!is_written(change)) continue;
    const update_source& source = sources[change.source];
    const series_record& series = source.stored.series;
    const device_info& device = series.devices.front().info;
    const std::array<std::pair<const char*, std::string>, 8> members{
        {{"limit", change.pointer},
         {"from", size_literal(*change.from)},
         {"to", size_literal(*change.to)},
         {"reason", request.reason},
         {"date", request.date},
         {"artifact_sha256", source.sha256},
         {"device", device.kind == device_kind::cuda ? device.name : device.id},
         {"revision", series.workload.revision}}};
    std::string entry;
    for (const auto& [key, value] : members) {
      entry += fmt::format("{}\"{}\": {}", entry.empty() ? "" : ", ", key,
                           nlohmann::json(value).dump(-1, ' ', false, replace_bad));
    }
    text = with_json_item(text, "history", '{' + entry + '}');
  }
  static_cast<void>(parse_budget(text, of.file));
  return text;
}

}  // namespace headroom
