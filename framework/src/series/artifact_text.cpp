// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/size_text.hpp>
#include <headroom/series/artifact.hpp>
#include <nlohmann/json.hpp>

#include "program_json.hpp"

namespace headroom {
namespace {

using json = nlohmann::ordered_json;

json to_json(const std::optional<bytes>& value) { return value ? json(value->n) : json(nullptr); }
json to_json(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }
json to_json(const std::optional<std::string>& value) {
  return value ? json(*value) : json(nullptr);
}
json to_json(const std::optional<std::int64_t>& value) {
  return value ? json(*value) : json(nullptr);
}

json to_json(const dimensions& sizes) {
  json object = json::object();
  for (const auto& [name, value] : sizes.entries()) object[name] = value;
  return object;
}

json to_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  json object = json::object();
  for (const auto& [name, value] : pairs) object[name] = value;
  return object;
}

json to_json(const tag_table& table) {
  json object = json::object();
  for (const tag each : all_tags) object[std::string(name_of(each)) + "_bytes"] = table[each].n;
  return object;
}

json workload_json(const series_record& series) {
  const workload_description& work = series.workload;
  return {{"name", work.name},
          {"operation", work.operation},
          {"revision", work.revision},
          {"seed", work.seed},
          {"dtype", work.dtype},
          {"dimensions",
           {{"requested", to_json(work.requested)}, {"executed", to_json(series.executed)}}},
          {"options", to_json(work.options)},
          {"settings", to_json(series.settings)}};
}

json protocol_json(const series_record& series) {
  const protocol& passes = series.protocol;
  json object = {{"pass", series.pass_name},  {"warmup", passes.warmup},
                 {"repeats", passes.repeats}, {"order", {"cold", "warmup", "warm"}},
                 {"kind", "memory"},          {"fresh_process", series.fresh_process}};
  // What most series do not do is said only of those that do.
  if (passes.empty_cache_between_repeats) object["empty_cache_between_repeats"] = true;
  if (passes.touch) object["touch"] = true;
  if (passes.processes > 1) {
    object["process"] = passes.process;
    object["processes"] = passes.processes;
  }
  return object;
}

json probe_json(const probe_record& probe) {
  return {{"device", probe.device},
          {"requested_bytes", probe.requested.n},
          {"allocated_before_bytes", to_json(probe.allocated_before)},
          {"allocated_during_bytes", to_json(probe.allocated_during)},
          {"allocated_after_bytes", to_json(probe.allocated_after)},
          {"reserved_during_bytes", to_json(probe.reserved_during)},
          {"emptied_bytes", to_json(probe.emptied)},
          {"passed", probe.passed},
          {"detail", probe.detail}};
}

json environment_json(const environment_record& where) {
  return {{"os", where.os},
          {"host_cpu", where.host_cpu},
          {"compiler", where.compiler},
          {"backends", where.backends},
          {"cuda_toolkit", to_json(where.cuda_toolkit)},
          {"cuda_runtime", to_json(where.cuda_runtime)},
          {"cuda_driver", to_json(where.cuda_driver)},
          {"nvml", to_json(where.nvml)}};
}

json rehearsal_json(const std::optional<rehearsal_record>& rehearsed) {
  if (!rehearsed) return nullptr;
  return {{"plan", rehearsed->plan},
          {"allocations", rehearsed->allocations},
          {"segments", rehearsed->segments},
          {"refused", rehearsed->refused}};
}

json device_json(const device_record& device) {
  json coverage = json::object();
  for (const counter_id id : all_counters) {
    const counter_coverage& each = device.source[id];
    coverage[std::string(name_of(id))] = {
        {"available", each.available}, {"exact", each.exact}, {"covers", each.covers}};
  }
  const device_info& info = device.info;
  return {{"id", info.id},
          {"kind", name_of(info.kind)},
          {"name", info.name},
          {"uuid", to_json(info.uuid)},
          {"compute_capability", to_json(info.compute_capability)},
          {"capacity_bytes", info.capacity.n},
          {"emulated", info.emulated},
          {"allocator",
           {{"name", device.allocator.name}, {"settings", to_json(device.allocator.settings)}}},
          {"counter_source", {{"name", device.source.name}, {"coverage", coverage}}},
          {"rehearsal", rehearsal_json(device.rehearsed)}};
}

json moment_json(const std::optional<peak_moment>& moment) {
  if (!moment) return nullptr;
  return {{"allocated_bytes", moment->allocated.n},
          {"reserved_bytes", to_json(moment->reserved)},
          {"by_tag", moment->by_tag ? to_json(*moment->by_tag) : json(nullptr)}};
}

json system_json(const system_reading& reading) {
  return {{"free_bytes", to_json(reading.free)},
          {"total_bytes", to_json(reading.total)},
          {"process_bytes", to_json(reading.process)},
          {"reserved_bytes", to_json(reading.reserved)}};
}

bool is_cuda(const series_record& series, const std::string& id) {
  for (const device_record& each : series.devices) {
    if (each.info.id == id) return each.info.kind == device_kind::cuda;
  }
  return false;
}

json reading_json(const device_reading& reading, bool cuda) {
  const std::optional<unaccounted_memory>& moved = reading.unaccounted;
  json end = json::object();
  for (const counter_id id : all_counters) {
    end[std::string(name_of(id)) + "_bytes"] = to_json(reading.end[id]);
  }
  end["requested_current_bytes"] = to_json(reading.end.requested_current);
  end["requested_peak_bytes"] = to_json(reading.end.requested_peak);
  json system_begin = system_json(reading.system_begin);
  json system_end = system_json(reading.system);
  if (cuda) {
    system_begin["outside_allocator_bytes"] = to_json(reading.outside_begin);
    system_end["outside_allocator_bytes"] = to_json(reading.outside);
  }
  return {{"device", reading.device},
          {"begin",
           {{"allocated_current_bytes", to_json(reading.begin_allocated)},
            {"reserved_current_bytes", to_json(reading.begin_reserved)}}},
          {"end", end},
          {"at_allocated_peak", moment_json(reading.end.at_allocated_peak)},
          {"retries", to_json(reading.end.retries)},
          {"refusals", to_json(reading.end.refusals)},
          {"system",
           {{"begin", system_begin},
            {"end", system_end},
            {"process_reason", reading.system.process_reason},
            {"unaccounted_bytes", moved ? json(moved->moved.n) : json(nullptr)},
            {"accounted_by", moved ? json(name_of(moved->by)) : json(nullptr)}}}};
}

json phase_json(const phase_record& phase, const series_record& series) {
  json error = nullptr;
  if (phase.error) {
    error = {{"kind", phase.error->kind},
             {"message", phase.error->message},
             {"requested_bytes", to_json(phase.error->requested)},
             {"tag", phase.error->what ? json(name_of(*phase.error->what)) : json(nullptr)},
             {"device", phase.error->device}};
  }
  json readings = json::array();
  for (const device_reading& each : phase.readings) {
    readings.push_back(reading_json(each, is_cuda(series, each.device)));
  }
  return {{"name", phase.name},
          {"pass", name_of(phase.pass)},
          {"repeat", phase.repeat},
          {"parent", to_json(phase.parent)},
          {"status", name_of(phase.status)},
          {"partial", phase.status == phase_status::failed},
          {"seconds", to_json(phase.seconds)},
          {"error", error},
          {"readings", readings}};
}

json spread_json(const series_record& series) {
  json list = json::array();
  for (const counter_spread& each : spreads_of(series)) {
    list.push_back({{"device", each.device},
                    {"counter", name_of(each.counter)},
                    {"lowest_bytes", to_json(each.lowest)},
                    {"highest_bytes", to_json(each.highest)}});
  }
  return list;
}

json estimate_json(const budget* against) {
  if (against == nullptr) return nullptr;
  json weights = json::array();
  for (const weight_group& each : against->weights) {
    weights.push_back({{"name", each.name},
                       {"parameters", each.parameters},
                       {"bits", each.bits},
                       {"compute", each.compute},
                       {"size_bytes", storage_bytes(each).n},
                       {"basis", name_of(basis::computed)}});
  }
  json reserve = json::array();
  for (const reserve_item& each : against->reserve) {
    reserve.push_back({{"name", each.name},
                       {"size_bytes", each.size.n},
                       {"basis", name_of(each.basis)},
                       {"why", each.why}});
  }
  return {{"weights_bytes", against->weight_bytes().n},
          {"weights", weights},
          {"reserve", reserve},
          {"envelope_bytes", against->envelope().n},
          {"envelope_basis", name_of(against->envelope_basis())}};
}

json verdict_json(const limit_verdict& each) {
  return {{"device", each.device},
          {"counter", name_of(each.counter)},
          {"scope", name_of(each.scope)},
          {"bound", name_of(each.bound)},
          {"phase", each.phase},
          {"pass", name_of(each.pass)},
          {"repeat", each.repeat},
          {"limit_bytes", to_json(each.limit)},
          {"from_envelope", each.from_envelope},
          {"measured_bytes", to_json(each.measured)},
          {"verdict", name_of(each.result)},
          {"reason", each.reason},
          {"line", each.line},
          {"pointer", each.pointer}};
}

json budget_json(const verdict& result, const budget* against) {
  if (against == nullptr) return nullptr;
  json verdicts = json::array();
  for (const limit_verdict& each : result.limits) verdicts.push_back(verdict_json(each));
  return {{"name", against->name},
          {"file", against->file},
          {"sha256", sha256_of(against->source)},
          {"verdicts", verdicts}};
}

json check_json(const check& each) {
  return {{"name", each.name},
          {"passed", each.passed},
          {"difference", to_json(each.difference)},
          {"tolerance", to_json(each.tolerance)},
          {"detail", each.detail}};
}

template <class List, class Convert>
json list_json(const List& list, Convert convert) {
  json result = json::array();
  for (const auto& each : list) result.push_back(convert(each));
  return result;
}

}  // namespace

std::string artifact_text(const series_record& series, const verdict& result,
                          const budget* against) {
  const auto of_series = [&](const phase_record& phase) { return phase_json(phase, series); };
  json document = {{"schema", artifact_schema_id},
                   {"id", series.id},
                   {"created", series.created},
                   {"tool",
                    {{"name", "headroom"},
                     {"version", series.tool.version},
                     {"revision", to_json(series.tool.revision)}}},
                   {"test", series.test},
                   {"prediction", series.prediction()},
                   {"outcome", name_of(result.outcome)},
                   {"outcome_reason", result.reason},
                   {"warnings", result.warnings},
                   {"workload", workload_json(series)},
                   {"protocol", protocol_json(series)},
                   {"setup_error", to_json(series.setup_error)},
                   {"skipped", to_json(series.skipped)},
                   {"probe", list_json(series.probes, probe_json)},
                   {"environment", environment_json(series.environment)},
                   {"devices", list_json(series.devices, device_json)},
                   {"phases", list_json(series.phases, of_series)},
                   {"spread", spread_json(series)},
                   {"estimate", estimate_json(against)},
                   {"budget", budget_json(result, against)},
                   {"checks", list_json(series.checks, check_json)}};
  if (series.program) document["program"] = detail::program_json(*series.program);
  if (series.calibration) {
    document["calibration"] = detail::calibration_json(*series.calibration);
  }
  // Text from outside (device names, messages) may not be UTF-8: it is shown, never lost.
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace headroom
