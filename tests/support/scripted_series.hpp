// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/series/series_record.hpp>
#include <string>

namespace headroom::test {

/// Four counters of one phase.
struct levels {
  bytes allocated_current, allocated_peak, reserved_current, reserved_peak;
};

inline phase_record phase_of(std::string name, pass_kind pass, int repeat, levels read) {
  phase_record phase;
  phase.name = std::move(name);
  phase.pass = pass;
  phase.repeat = repeat;
  phase.status = phase_status::ok;
  phase.seconds = 0.25;
  device_reading reading;
  reading.device = "plan:1GiB";
  reading.begin_allocated = bytes{0};
  reading.begin_reserved = bytes{0};
  reading.end[counter_id::allocated_current] = read.allocated_current;
  reading.end[counter_id::allocated_peak] = read.allocated_peak;
  reading.end[counter_id::reserved_current] = read.reserved_current;
  reading.end[counter_id::reserved_peak] = read.reserved_peak;
  reading.end.requested_current = read.allocated_current;
  reading.end.requested_peak = read.allocated_peak;
  tag_table by_tag;
  by_tag[tag::weights] = 4_MiB;
  by_tag[tag::activations] = read.allocated_peak - 4_MiB;
  reading.end.at_allocated_peak = peak_moment{read.allocated_peak, read.reserved_peak, by_tag};
  phase.readings.push_back(std::move(reading));
  return phase;
}

inline workload_description scripted_description() {
  return {"scripted", "forward", "1", 7, "float32", {{"batch", 2}}, {}};
}

/// Loads 4 MiB of weights; each pass peaks at 6 MiB allocated and 20 MiB reserved.
inline series_record scripted_series() {
  series_record series;
  series.id = "0123456789abcdef";
  series.created = "2026-11-29T12:00:00Z";
  series.test = "Scripted.FitsBudget";
  series.tool = {"0.1.0", "abcdef012345"};
  series.workload = scripted_description();
  series.executed = series.workload.requested;
  series.protocol = {1, 2};
  series.pass_name = "forward";
  series.fresh_process = true;
  series.environment = {"an OS", "a processor", "a compiler", {"cpu", "plan"}, {}, {}, {}, {}};
  probe_record probe;
  probe.device = "plan:1GiB";
  probe.requested = 3_MiB;
  probe.allocated_before = probe.allocated_after = bytes{0};
  probe.allocated_during = 3_MiB;
  probe.reserved_during = 20_MiB;
  probe.emptied = 20_MiB;
  probe.passed = true;
  series.probes.push_back(probe);
  device_record device;
  device.info = {"plan:1GiB", device_kind::plan, "plan", {}, {}, 1_GiB, false};
  device.allocator = {"caching", {}};
  device.source.name = "caching allocator";
  for (const counter_id id : all_counters) device.source[id] = {true, true, "blocks"};
  series.devices.push_back(device);
  const levels load{4_MiB, 4_MiB, 20_MiB, 20_MiB};
  const levels pass{4_MiB, 6_MiB, 20_MiB, 20_MiB};
  series.phases = {phase_of("model_load", pass_kind::setup, 0, load),
                   phase_of("inputs", pass_kind::setup, 0, load),
                   phase_of("cold_forward", pass_kind::cold, 1, pass),
                   phase_of("warmup", pass_kind::warmup, 1, pass),
                   phase_of("warm_forward", pass_kind::warm, 1, pass),
                   phase_of("warm_forward", pass_kind::warm, 2, pass)};
  return series;
}

inline limit at_most(bytes size) {
  limit result;
  result.at_most = size;
  return result;
}

/// Holds scripted_series() exactly.
inline budget scripted_budget() {
  budget result;
  result.name = "scripted";
  result.workload = scripted_description();
  result.protocol = {1, 2};
  result.weights = {{"linear", 1'048'576, 32, "float32"}};
  result.reserve = {{"activations", 2_MiB, basis::computed, "one tensor"}};
  result.limits[counter_id::allocated_peak] = at_most(6_MiB);
  result.limits[counter_id::allocated_current] = at_most(4_MiB);
  result.limits[counter_id::reserved_peak] = at_most(20_MiB);
  result.limits[counter_id::reserved_current] = at_most(20_MiB);
  result.steady_state_growth = bytes{0};
  result.file = "budgets/scripted.json";
  return result;
}

/// The reading of the phase at `index`.
inline source_reading& end_of(series_record& series, std::size_t index) {
  return series.phases.at(index).readings.at(0).end;
}

}  // namespace headroom::test
