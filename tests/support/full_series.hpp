// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "support/scripted_series.hpp"

namespace headroom::test {

inline device_reading full_reading(const std::string& device) {
  device_reading reading;
  reading.device = device;
  reading.begin_allocated = 1_MiB;
  reading.begin_reserved = 2_MiB;
  for (const counter_id id : all_counters) {
    reading.end[id] = bytes{1000 + static_cast<std::int64_t>(id)};
  }
  reading.end.requested_current = bytes{900};
  reading.end.requested_peak = bytes{901};
  tag_table by_tag;
  for (const tag each : all_tags) by_tag[each] = bytes{10 + static_cast<std::int64_t>(each)};
  reading.end.at_allocated_peak = peak_moment{by_tag.total(), 3_MiB, by_tag};
  reading.end.retries = 2;
  reading.end.refusals = 1;
  reading.system_begin = {bytes{75}, bytes{80}, bytes{7}, bytes{2}, ""};
  reading.system = {bytes{70}, bytes{80}, bytes{9}, bytes{3}, ""};
  reading.unaccounted = unaccounted_memory{bytes{3}, accounted_by::process};
  return reading;
}

/// A failed series in which no member has its default: two devices, an inner phase that failed, a
/// phase that did not run, checks.
inline series_record full_series() {
  series_record series = scripted_series();
  series.workload.seed = 18'446'744'073'709'551'615U;
  series.workload.requested = {{"batch", 4}, {"context", 128}};
  series.workload.options = {{"checkpointing", "every_layer"}};
  series.executed = {{"batch", 2}, {"context", 128}};
  series.settings = {{"workspace", "8 MiB"}, {"text", "\"quoted\" \\ größe\n"}};
  series.environment.cuda_toolkit = "13.0";
  series.environment.cuda_runtime = "13.0";
  series.environment.cuda_driver = "580.1";
  series.environment.nvml = "13.580.1, memory query 2, process query 3";
  series.setup_error = "the meter saw nothing";
  series.probes[0].detail = "detail";
  device_record card = series.devices[0];
  card.info = {"cuda:0", device_kind::cuda, "Some Card", "GPU-1234", "9.0", 24_GB, true};
  card.allocator.settings = {{"max_split_size_mb", "128"}};
  card.source[counter_id::reserved_peak] = {false, false, "the source keeps no reserved peak"};
  card.rehearsed = rehearsal_record{"allocation:7,segment:2+", 9, 3, 2};
  series.devices.push_back(card);
  phase_record& cold = series.phases[2];
  cold.status = phase_status::failed;
  cold.error = phase_error{"out_of_memory", "asked for too much", 5_GiB, tag::kv_cache, "cuda:0"};
  cold.readings = {full_reading("plan:1GiB"), full_reading("cuda:0")};
  cold.seconds = 0.1234567890123456;
  series.phases[3].parent = "cold_forward";
  phase_record& last = series.phases.back();
  last.status = phase_status::not_run;
  last.seconds.reset();
  last.readings.clear();
  series.checks = {{"outputs agree", false, 1e-7, 1e-9, "at element 3"},
                   {"shape", true, {}, {}, ""}};
  return series;
}

/// One verdict of each ruling.
inline verdict full_verdict() {
  verdict result;
  result.outcome = outcome::out_of_memory;
  result.reason = "phase cold_forward: asked for too much";
  result.warnings = {"first", "second"};
  limit_verdict each;
  each.device = "cuda:0";
  each.phase = "warm_forward";
  each.pass = pass_kind::warm;
  each.repeat = 2;
  each.line = 12;
  each.pointer = "/limits/reserved_peak";
  each.counter = counter_id::reserved_peak;
  each.limit = bytes{100};
  each.measured = bytes{100};
  each.result = ruling::within;
  result.limits.push_back(each);
  each.scope = limit_scope::cold;
  each.measured = bytes{101};
  each.result = ruling::exceeded;
  each.from_envelope = true;
  result.limits.push_back(each);
  each.scope = limit_scope::headroom;
  each.bound = bound::at_least;
  each.measured = bytes{-5};
  result.limits.push_back(each);
  each.scope = limit_scope::phase;
  each.measured.reset();
  each.result = ruling::unknown;
  each.reason = "not measured";
  result.limits.push_back(each);
  each.scope = limit_scope::warm;
  each.limit.reset();
  each.result = ruling::waived;
  result.limits.push_back(each);
  return result;
}

}  // namespace headroom::test
