// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <headroom/core/error.hpp>
#include <limits>

#include "artifact_fields.hpp"

namespace headroom::detail {
namespace {

constexpr std::array all_kinds{device_kind::cuda, device_kind::cpu, device_kind::plan};

dimensions read_dimensions(const json_node& node, problem_list& problems) {
  dimensions result;
  if (const json_fields object(node, problems); !object.is_object()) return result;
  for (const json_node& member : node.children) {
    if (const auto value = read_integer(member, problems, 0, largest_integer)) {
      result.set(member.key, *value);
    }
  }
  return result;
}

counter_coverage read_coverage(const json_node& node, problem_list& problems) {
  counter_coverage result;
  artifact_fields fields(node, problems);
  fields.flag("available", result.available);
  fields.flag("exact", result.exact);
  fields.text("covers", result.covers);
  fields.finish();
  return result;
}

source_description read_source(const json_node& node, problem_list& problems) {
  source_description result;
  artifact_fields fields(node, problems);
  fields.text("name", result.name);
  if (const json_node* coverage = fields.member("coverage")) {
    artifact_fields counters(*coverage, problems);
    for (const counter_id id : all_counters) {
      if (const json_node* each = counters.member(name_of(id))) {
        result[id] = read_coverage(*each, problems);
      }
    }
    counters.finish();
  }
  fields.finish();
  return result;
}

allocator_description read_allocator(const json_node& node, problem_list& problems) {
  allocator_description result;
  artifact_fields fields(node, problems);
  fields.text("name", result.name);
  if (const json_node* settings = fields.member("settings")) {
    result.settings = read_pairs(*settings, problems);
  }
  fields.finish();
  return result;
}

rehearsal_record read_rehearsal(const json_node& node, problem_list& problems) {
  rehearsal_record result;
  artifact_fields fields(node, problems);
  fields.text("plan", result.plan);
  fields.number("allocations", result.allocations, 0);
  fields.number("segments", result.segments, 0);
  fields.number("refused", result.refused, 0);
  fields.finish();
  if (result.allocations + result.segments < result.refused) {
    problems.add(node, "more requests were refused than were made");
  }
  try {
    if (const rehearsal_plan plan = parse_rehearsal(result.plan); !plan.empty()) return result;
    problems.add(node, "a rehearsal without a plan");
  } catch (const usage_error& wrong) {
    problems.add(node, wrong.what());
  }
  return result;
}

void check_order(artifact_fields& fields) {
  const json_node* const order = fields.member("order");
  if (order == nullptr) return;
  constexpr std::array<std::string_view, 3> wanted{"cold", "warmup", "warm"};
  const bool same = order->kind == json_kind::array &&
                    std::equal(order->children.begin(), order->children.end(), wanted.begin(),
                               wanted.end(), [](const json_node& item, std::string_view name) {
                                 return item.kind == json_kind::string && item.text == name;
                               });
  if (!same) {
    fields.problems().add(*order,
                          "another order of passes; an artifact has "
                          "[\"cold\", \"warmup\", \"warm\"] here");
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> read_pairs(const json_node& node,
                                                            problem_list& problems) {
  std::vector<std::pair<std::string, std::string>> result;
  if (const json_fields object(node, problems); !object.is_object()) return result;
  for (const json_node& member : node.children) {
    if (auto value = read_string(member, problems)) {
      result.emplace_back(member.key, *std::move(value));
    }
  }
  return result;
}

void read_workload(const json_node& node, series_record& series, problem_list& problems) {
  workload_description& work = series.workload;
  artifact_fields fields(node, problems);
  fields.text("name", work.name);
  fields.text("operation", work.operation);
  fields.text("revision", work.revision);
  if (const json_node* seed = fields.member("seed")) {
    work.seed = read_unsigned(*seed, problems).value_or(0);
  }
  fields.text("dtype", work.dtype);
  if (const json_node* sizes = fields.member("dimensions")) {
    artifact_fields both(*sizes, problems);
    if (const json_node* asked = both.member("requested")) {
      work.requested = read_dimensions(*asked, problems);
    }
    if (const json_node* ran = both.member("executed")) {
      series.executed = read_dimensions(*ran, problems);
    }
    both.finish();
  }
  if (const json_node* options = fields.member("options")) {
    work.options = read_pairs(*options, problems);
  }
  if (const json_node* settings = fields.member("settings")) {
    series.settings = read_pairs(*settings, problems);
  }
  fields.finish();
}

void read_protocol(const json_node& node, series_record& series, problem_list& problems) {
  artifact_fields fields(node, problems);
  fields.text("pass", series.pass_name);
  fields.number("warmup", series.protocol.warmup, 0, most_passes);
  fields.number("repeats", series.protocol.repeats, 1, most_passes);
  check_order(fields);
  fields.constant("kind", "memory");
  fields.flag("fresh_process", series.fresh_process);
  if (fields.has("empty_cache_between_repeats")) {
    fields.flag("empty_cache_between_repeats", series.protocol.empty_cache_between_repeats);
  }
  if (fields.has("touch")) fields.flag("touch", series.protocol.touch);
  if (fields.has("process") || fields.has("processes")) {
    fields.number("processes", series.protocol.processes, 1, most_passes);
    fields.number("process", series.protocol.process, 1, series.protocol.processes);
  }
  fields.finish();
}

environment_record read_environment(const json_node& node, problem_list& problems) {
  environment_record result;
  artifact_fields fields(node, problems);
  fields.text("os", result.os);
  fields.text("host_cpu", result.host_cpu);
  fields.text("compiler", result.compiler);
  fields.texts("backends", result.backends);
  fields.text("cuda_toolkit", result.cuda_toolkit);
  fields.text("cuda_runtime", result.cuda_runtime);
  fields.text("cuda_driver", result.cuda_driver);
  fields.text("nvml", result.nvml);
  fields.finish();
  return result;
}

device_record read_device(const json_node& node, problem_list& problems) {
  device_record result;
  artifact_fields fields(node, problems);
  fields.text("id", result.info.id);
  fields.name("kind", all_kinds, result.info.kind);
  fields.text("name", result.info.name);
  fields.text("uuid", result.info.uuid);
  fields.text("compute_capability", result.info.compute_capability);
  fields.size("capacity_bytes", result.info.capacity);
  fields.flag("emulated", result.info.emulated);
  if (const json_node* allocator = fields.member("allocator")) {
    result.allocator = read_allocator(*allocator, problems);
  }
  if (const json_node* source = fields.member("counter_source")) {
    result.source = read_source(*source, problems);
  }
  if (const json_node* rehearsed = fields.nullable("rehearsal")) {
    result.rehearsed = read_rehearsal(*rehearsed, problems);
  }
  fields.finish();
  return result;
}

probe_record read_probe(const json_node& node, problem_list& problems) {
  probe_record result;
  artifact_fields fields(node, problems);
  fields.text("device", result.device);
  fields.size("requested_bytes", result.requested);
  fields.size("allocated_before_bytes", result.allocated_before);
  fields.size("allocated_during_bytes", result.allocated_during);
  fields.size("allocated_after_bytes", result.allocated_after);
  fields.size("reserved_during_bytes", result.reserved_during);
  fields.size("emptied_bytes", result.emptied);
  fields.flag("passed", result.passed);
  fields.text("detail", result.detail);
  fields.finish();
  return result;
}

}  // namespace headroom::detail
