// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "program_json.hpp"

namespace headroom::detail {
namespace {

using json = nlohmann::ordered_json;

json to_json(const std::optional<bytes>& value) { return value ? json(value->n) : json(nullptr); }

json process_json(const program_process& process) {
  json levels = json::array();
  for (const process_levels& each : process.devices) {
    levels.push_back({{"device", each.device},
                      {"reserved_peak_bytes", each.reserved_peak.n},
                      {"allocated_peak_bytes", each.allocated_peak.n},
                      {"context_bytes", to_json(each.context)},
                      {"framework_reserved_peak_bytes", to_json(each.framework_reserved_peak)},
                      {"framework_allocated_peak_bytes", to_json(each.framework_allocated_peak)},
                      {"refusals", each.refusals}});
  }
  return {{"number", process.number},   {"parent", process.parent},
          {"command", process.command}, {"framework", process.framework},
          {"ended", process.ended},     {"devices", levels}};
}

}  // namespace

json program_json(const program_record& program) {
  json processes = json::array();
  for (const program_process& each : program.processes) processes.push_back(process_json(each));
  json calls = json::array();
  for (const unmodelled_call& each : program.unmodelled) {
    calls.push_back(
        {{"library", each.library}, {"name", each.name}, {"may_allocate", each.may_allocate}});
  }
  json weights = json::array();
  for (const program_weights& each : program.weights) {
    weights.push_back(
        {{"dtype", each.dtype}, {"bits", each.bits}, {"parameters", each.parameters}});
  }
  return {{"command", program.command},
          {"phases", program.phases},
          {"capacity_basis", program.capacity_basis},
          {"counted", program.counted},
          {"exit_code", program.exit_code ? json(*program.exit_code) : json(nullptr)},
          {"signal", program.signal ? json(*program.signal) : json(nullptr)},
          {"doubt", program.doubt ? json(*program.doubt) : json(nullptr)},
          {"processes", processes},
          {"unmodelled", calls},
          {"gaps", program.gaps},
          {"kernels_left_out", program.kernels_left_out},
          {"weights", weights}};
}

}  // namespace headroom::detail
