// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <array>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>

#include "budget_reader.hpp"

namespace headroom::detail {
namespace {

constexpr std::string_view envelope_word = "envelope";
constexpr std::string_view forms =
    "write a size such as \"4 GiB\", \"envelope\", or {\"waived\": \"the reason\"}";

struct bound_value {
  std::optional<bytes> size;  // absent for "envelope"
};

std::optional<bound_value> read_bound(const json_node& node, problem_list& problems) {
  if (node.kind == json_kind::string) {
    if (node.text == envelope_word) return bound_value{};
    if (nearest_name(node.text, {envelope_word}) == envelope_word) {
      problems.add(node, fmt::format("found {}; write \"envelope\", or a size", node.found()));
      return std::nullopt;
    }
  } else if (node.kind != json_kind::number) {
    problems.add(node, fmt::format("found {}; write a size such as \"4 GiB\", or \"envelope\"",
                                   node.found()));
    return std::nullopt;
  }
  const auto size = read_size(node, problems);
  if (!size) return std::nullopt;
  return bound_value{size};
}

void read_bounds(const json_node& node, limit& into, problem_list& problems) {
  json_fields fields(node, problems);
  const json_node* const waived = fields.optional("waived");
  const json_node* const at_most = fields.optional("at_most");
  const json_node* const at_least = fields.optional("at_least");
  fields.finish();
  if (waived != nullptr) {
    if (at_most != nullptr || at_least != nullptr) {
      problems.add(node, "a waived limit with a bound; write one of them");
    }
    into.waived = read_text(*waived, problems);
    return;
  }
  if (at_most == nullptr) {
    problems.add(node,
                 "key \"at_most\" is missing; a limit without it would be unlimited: write "
                 "\"at_most\", or {\"waived\": \"the reason\"}");
  } else if (const auto bound = read_bound(*at_most, problems)) {
    into.at_most = bound->size;
    into.at_most_is_envelope = !bound->size;
  }
  if (at_least == nullptr) return;
  if (const auto bound = read_bound(*at_least, problems)) {
    into.at_least = bound->size;
    into.at_least_is_envelope = !bound->size;
  }
}

limit read_limit(const json_node& node, problem_list& problems) {
  limit result;
  result.line = node.line;
  result.pointer = node.pointer();
  if (node.kind == json_kind::object) {
    read_bounds(node, result, problems);
  } else if (node.kind == json_kind::string || node.kind == json_kind::number) {
    if (const auto bound = read_bound(node, problems)) {
      result.at_most = bound->size;
      result.at_most_is_envelope = !bound->size;
    }
  } else {
    problems.add(node, fmt::format("found {}; {}", node.found(), forms));
  }
  return result;
}

/// The limits among the members of `fields`. A limit with a fault counts as there.
void read_counters(json_fields& fields, limit_set& into, problem_list& problems) {
  for (const counter_id counter : all_counters) {
    if (const json_node* member = fields.optional(name_of(counter))) {
      into[counter] = read_limit(*member, problems);
    }
  }
}

/// An object of limits that may leave counters out, but not all of them.
limit_set read_some_counters(const json_node& node, problem_list& problems) {
  limit_set result;
  json_fields fields(node, problems);
  read_counters(fields, result, problems);
  fields.finish();
  if (fields.is_object() && node.children.empty()) {
    problems.add(node, "no limit; write at least one, or remove the object");
  }
  return result;
}

struct limit_sets {
  limit_set both;
  limit_set cold;
  limit_set warm;
};

limit_sets read_limit_sets(const json_node& node, problem_list& problems) {
  limit_sets result;
  json_fields fields(node, problems);
  read_counters(fields, result.both, problems);
  if (const json_node* cold = fields.optional("cold")) {
    result.cold = read_some_counters(*cold, problems);
  }
  if (const json_node* warm = fields.optional("warm")) {
    result.warm = read_some_counters(*warm, problems);
  }
  fields.finish();
  return result;
}

void check_every_counter(const json_node& node, const limit_sets& limits, problem_list& problems) {
  if (node.kind != json_kind::object) return;
  for (const counter_id counter : all_counters) {
    if (limits.both[counter]) continue;
    const bool cold = limits.cold[counter].has_value();
    const bool warm = limits.warm[counter].has_value();
    if (cold && warm) continue;
    if (!cold && !warm) {
      problems.add(node, fmt::format("\"{}\" is not limited; {}", name_of(counter), forms));
    } else {
      problems.add(node,
                   fmt::format("\"{}\" is limited in \"{}\" only; limit or waive it in "
                               "\"{}\" too, or in \"limits\" for both",
                               name_of(counter), cold ? "cold" : "warm", cold ? "warm" : "cold"));
    }
  }
}

}  // namespace

void read_limits(const json_node& node, budget& into, problem_list& problems) {
  const limit_sets limits = read_limit_sets(node, problems);
  check_every_counter(node, limits, problems);
  into.limits = limits.both;
  into.cold_limits = limits.cold;
  into.warm_limits = limits.warm;
}

void read_phase_limits(const json_node& node, std::vector<phase_limits>& phases,
                       problem_list& problems) {
  const auto* items = read_array(node, problems);
  if (items == nullptr) return;
  distinct_names names("entry for phase", problems);
  for (const json_node& item : *items) {
    phase_limits entry;
    json_fields fields(item, problems);
    if (const json_node* phase = read_required(fields, "phase", "write \"phase\": \"inputs\"",
                                               entry.phase, problems, read_text)) {
      names.add(*phase, entry.phase);
    }
    if (const json_node* limits =
            fields.required("limits", "write \"limits\": {\"allocated_peak\": \"24 MiB\"}")) {
      entry.limits = read_some_counters(*limits, problems);
    }
    fields.finish();
    phases.push_back(std::move(entry));
  }
}

void read_steady_state(const json_node& node, budget& into, problem_list& problems) {
  json_fields fields(node, problems);
  if (const json_node* growth = fields.required("growth", "write \"growth\": \"0 B\"")) {
    into.steady_state_growth = read_size(*growth, problems);
    into.steady_state_line = growth->line;
  }
  fields.finish();
}

void read_devices(const json_node& node, std::vector<device_override>& devices,
                  problem_list& problems) {
  if (json_fields object(node, problems); !object.is_object()) return;
  for (const json_node& member : node.children) {
    device_override entry;
    entry.device = member.key;
    if (std::string fault = fault_of_text(member.key); !fault.empty()) {
      problems.add(member, fmt::format("key: {}", fault));
    }
    json_fields fields(member, problems);
    if (const json_node* reserve = fields.optional("reserve")) {
      read_reserve(*reserve, entry.reserve.emplace(), problems);
    }
    if (const json_node* limits = fields.optional("limits")) {
      limit_sets sets = read_limit_sets(*limits, problems);
      entry.limits = sets.both;
      entry.cold_limits = sets.cold;
      entry.warm_limits = sets.warm;
    }
    fields.finish();
    if (fields.is_object() && member.children.empty()) {
      problems.add(member, "neither \"limits\" nor \"reserve\"; write one, or remove the device");
    }
    devices.push_back(std::move(entry));
  }
}

}  // namespace headroom::detail
