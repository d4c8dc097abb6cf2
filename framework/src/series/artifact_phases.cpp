// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <limits>

#include "artifact_fields.hpp"

namespace headroom::detail {
namespace {

constexpr bytes smallest{std::numeric_limits<std::int64_t>::min()};
constexpr std::array all_accounts{accounted_by::process, accounted_by::allocator};
constexpr std::array all_statuses{phase_status::ok, phase_status::failed, phase_status::not_run};

phase_error read_error(const json_node& node, problem_list& problems) {
  phase_error result;
  artifact_fields fields(node, problems);
  fields.text("kind", result.kind);
  fields.text("message", result.message);
  fields.size("requested_bytes", result.requested);
  fields.name("tag", all_tags, result.what);
  fields.text("device", result.device);
  fields.finish();
  return result;
}

peak_moment read_moment(const json_node& node, problem_list& problems) {
  peak_moment result;
  artifact_fields fields(node, problems);
  fields.size("allocated_bytes", result.allocated);
  fields.size("reserved_bytes", result.reserved);
  if (const json_node* table = fields.nullable("by_tag")) {
    artifact_fields tags(*table, problems);
    result.by_tag.emplace();
    // The names outlive the fields, which keep views of them.
    std::array<std::string, tag_count> names;
    for (const tag each : all_tags) {
      std::string& name = names[static_cast<std::size_t>(each)];
      name = fmt::format("{}_bytes", name_of(each));
      tags.size(name, (*result.by_tag)[each]);
    }
    tags.finish();
  }
  fields.finish();
  return result;
}

void read_end(const json_node& node, source_reading& into, problem_list& problems) {
  artifact_fields fields(node, problems);
  fields.size("allocated_current_bytes", into[counter_id::allocated_current]);
  fields.size("allocated_peak_bytes", into[counter_id::allocated_peak]);
  fields.size("reserved_current_bytes", into[counter_id::reserved_current]);
  fields.size("reserved_peak_bytes", into[counter_id::reserved_peak]);
  fields.size("requested_current_bytes", into.requested_current);
  fields.size("requested_peak_bytes", into.requested_peak);
  fields.finish();
}

system_reading read_system(const json_node& node, std::optional<bytes>& outside,
                           problem_list& problems) {
  system_reading result;
  artifact_fields fields(node, problems);
  fields.size("free_bytes", result.free);
  fields.size("total_bytes", result.total);
  fields.size("process_bytes", result.process);
  fields.size("reserved_bytes", result.reserved);
  if (fields.has("outside_allocator_bytes")) {
    fields.size("outside_allocator_bytes", outside, smallest);
  }
  fields.finish();
  return result;
}

/// Against what the readings of that moment give. One that was not derived may be null.
void check_outside(const json_node& node, const std::optional<bytes>& outside,
                   const system_reading& system, const std::optional<bytes>& reserved,
                   problem_list& problems) {
  if (outside && outside != outside_allocator_of(system, reserved)) {
    problems.add(node, "\"outside_allocator_bytes\" is not what the readings give");
  }
}

void read_systems(const json_node& node, device_reading& into, problem_list& problems) {
  artifact_fields fields(node, problems);
  if (const json_node* begin = fields.member("begin")) {
    into.system_begin = read_system(*begin, into.outside_begin, problems);
    check_outside(*begin, into.outside_begin, into.system_begin, into.begin_reserved, problems);
  }
  if (const json_node* end = fields.member("end")) {
    into.system = read_system(*end, into.outside, problems);
    check_outside(*end, into.outside, into.system, into.end[counter_id::reserved_current],
                  problems);
  }
  fields.text("process_reason", into.system.process_reason);
  std::optional<bytes> moved;
  std::optional<accounted_by> by;
  fields.size("unaccounted_bytes", moved, smallest);
  fields.name("accounted_by", all_accounts, by);
  fields.finish();
  if (moved && by) into.unaccounted = unaccounted_memory{*moved, *by};
  if (moved.has_value() != by.has_value()) {
    problems.add(node, "\"unaccounted_bytes\" and \"accounted_by\" go together");
  }
}

device_reading read_reading(const json_node& node, problem_list& problems) {
  device_reading result;
  artifact_fields fields(node, problems);
  fields.text("device", result.device);
  if (const json_node* begin = fields.member("begin")) {
    artifact_fields levels(*begin, problems);
    levels.size("allocated_current_bytes", result.begin_allocated);
    levels.size("reserved_current_bytes", result.begin_reserved);
    levels.finish();
  }
  if (const json_node* end = fields.member("end")) read_end(*end, result.end, problems);
  if (const json_node* moment = fields.nullable("at_allocated_peak")) {
    result.end.at_allocated_peak = read_moment(*moment, problems);
  }
  fields.number("retries", result.end.retries);
  fields.number("refusals", result.end.refusals);
  if (const json_node* system = fields.member("system")) {
    read_systems(*system, result, problems);
    if (result.unaccounted && !(result.unaccounted == unaccounted_of(result))) {
      problems.add(*system, "\"unaccounted_bytes\" is not what the readings give");
    }
  }
  fields.finish();
  return result;
}

}  // namespace

phase_record read_phase(const json_node& node, problem_list& problems) {
  phase_record result;
  artifact_fields fields(node, problems);
  fields.text("name", result.name);
  fields.name("pass", all_passes, result.pass);
  fields.number("repeat", result.repeat, 0, most_passes);
  fields.text("parent", result.parent);
  fields.name("status", all_statuses, result.status);
  bool partial = false;
  fields.flag("partial", partial);
  if (node.find("partial") != nullptr && partial != (result.status == phase_status::failed)) {
    problems.add(node,
                 "\"partial\" and \"status\" contradict each other: only a failed phase is "
                 "partial");
  }
  fields.number("seconds", result.seconds);
  if (const json_node* error = fields.nullable("error")) {
    result.error = read_error(*error, problems);
  }
  if (result.error && result.status != phase_status::failed) {
    problems.add(node, "an error in a phase that did not fail");
  }
  fields.list("readings", result.readings, read_reading);
  fields.finish();
  return result;
}

check read_check(const json_node& node, problem_list& problems) {
  check result;
  artifact_fields fields(node, problems);
  fields.text("name", result.name);
  fields.flag("passed", result.passed);
  fields.number("difference", result.difference);
  fields.number("tolerance", result.tolerance);
  fields.text("detail", result.detail);
  fields.finish();
  return result;
}

counter_spread read_spread(const json_node& node, problem_list& problems) {
  counter_spread result;
  artifact_fields fields(node, problems);
  fields.text("device", result.device);
  fields.name("counter", all_counters, result.counter);
  fields.size("lowest_bytes", result.lowest);
  fields.size("highest_bytes", result.highest);
  fields.finish();
  return result;
}

}  // namespace headroom::detail
