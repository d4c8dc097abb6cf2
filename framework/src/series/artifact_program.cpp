// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>

#include "artifact_fields.hpp"

namespace headroom::detail {
namespace {

constexpr int most_processes = 1'000'000;

unmodelled_call read_call(const json_node& node, problem_list& problems) {
  unmodelled_call result;
  artifact_fields fields(node, problems);
  fields.text("library", result.library);
  fields.text("name", result.name);
  fields.flag("may_allocate", result.may_allocate);
  fields.finish();
  return result;
}

process_levels read_levels(const json_node& node, problem_list& problems) {
  process_levels result;
  artifact_fields fields(node, problems);
  fields.text("device", result.device);
  fields.size("reserved_peak_bytes", result.reserved_peak);
  fields.size("allocated_peak_bytes", result.allocated_peak);
  fields.size("context_bytes", result.context);
  fields.size("framework_reserved_peak_bytes", result.framework_reserved_peak);
  fields.size("framework_allocated_peak_bytes", result.framework_allocated_peak);
  fields.number("refusals", result.refusals, 0);
  fields.finish();
  return result;
}

program_process read_process(const json_node& node, problem_list& problems) {
  program_process result;
  artifact_fields fields(node, problems);
  fields.number("number", result.number, 1, most_processes);
  fields.number("parent", result.parent, 0, most_processes);
  fields.text("command", result.command);
  fields.text("framework", result.framework);
  fields.flag("ended", result.ended);
  fields.list("devices", result.devices, read_levels);
  fields.finish();
  return result;
}

program_weights read_parameters(const json_node& node, problem_list& problems) {
  program_weights result;
  artifact_fields fields(node, problems);
  fields.text("dtype", result.dtype);
  fields.number("bits", result.bits, 1, 1024);
  fields.number("parameters", result.parameters, 1);
  fields.finish();
  return result;
}

}  // namespace

program_record read_program(const json_node& node, problem_list& problems) {
  program_record result;
  artifact_fields fields(node, problems);
  fields.texts("command", result.command);
  fields.text("phases", result.phases);
  fields.text("capacity_basis", result.capacity_basis);
  if (fields.has("counted")) fields.flag("counted", result.counted);
  const auto small = [&](std::string_view key, std::optional<int>& into) {
    std::optional<std::int64_t> value;
    fields.number(key, value);
    if (value) into = static_cast<int>(std::min<std::int64_t>(*value, 1'000'000));
  };
  small("exit_code", result.exit_code);
  small("signal", result.signal);
  fields.text("doubt", result.doubt);
  fields.list("processes", result.processes, read_process);
  fields.list("unmodelled", result.unmodelled, read_call);
  fields.texts("gaps", result.gaps);
  fields.number("kernels_left_out", result.kernels_left_out, 0);
  fields.list("weights", result.weights, read_parameters);
  fields.finish();
  return result;
}

}  // namespace headroom::detail
