// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>

#include "judge_parts.hpp"

namespace headroom {

const device_reading* reading_of(const phase_record& phase, const std::string& device) {
  for (const device_reading& reading : phase.readings) {
    if (reading.device == device) return &reading;
  }
  return nullptr;
}

namespace {

// What is reserved after a retry is what a full device had room for, not what was asked for.
void add_retry_warnings(const series_record& series, verdict& result) {
  for (const device_record& device : series.devices) {
    std::int64_t retries = 0;
    for (const phase_record& phase : series.phases) {
      const device_reading* const reading = reading_of(phase, device.info.id);
      if (reading != nullptr) retries = std::max(retries, reading->end.retries.value_or(0));
    }
    if (retries == 0 || device.rehearsed) continue;
    result.warnings.push_back(
        fmt::format("{}: the device refused memory {} time(s), and cached memory was given back; "
                    "more capacity would show a higher reserved peak",
                    device.info.id, retries));
  }
}

// Rule 16: what others do on the device is recorded. Nothing here is judged by the system's
// readings.
void add_foreign_warnings(const series_record& series, verdict& result) {
  for (const phase_record& phase : series.phases) {
    if (phase.parent) continue;
    for (const device_reading& reading : phase.readings) {
      const std::optional<unaccounted_memory>& moved = reading.unaccounted;
      if (!moved || moved->moved.n == 0 || moved->by != accounted_by::process) continue;
      result.warnings.push_back(
          fmt::format("{}: another process's memory moved by {} in phase {} (foreign activity)",
                      reading.device, format_exact(moved->moved), phase.name));
    }
  }
}

// A program that ran without a budget: any may judge it, as any may be given to its run.
bool is_described(const series_record& series) {
  return !series.program || series.workload.revision != not_stated ||
         series.workload.dtype != not_stated;
}

}  // namespace

std::string mismatch(const series_record& series, const budget& against) {
  if (!is_described(series)) return "";
  const workload_description& ran = series.workload;
  const workload_description& asked = against.workload;
  const auto differs = [](std::string_view what, const auto& found, const auto& wanted) {
    return fmt::format("the series ran {} \"{}\", the budget is for \"{}\"", what, found, wanted);
  };
  if (ran.name != asked.name) return differs("workload", ran.name, asked.name);
  if (ran.operation != asked.operation) return differs("operation", ran.operation, asked.operation);
  if (ran.revision != asked.revision) return differs("revision", ran.revision, asked.revision);
  if (ran.seed != asked.seed) return differs("seed", ran.seed, asked.seed);
  if (ran.dtype != asked.dtype) return differs("dtype", ran.dtype, asked.dtype);
  if (!(ran.requested == asked.requested)) {
    return differs("dimensions", ran.requested.text(), asked.requested.text());
  }
  const bool empties = series.protocol.empty_cache_between_repeats;
  // A program has no passes that headroom runs.
  if (!series.program && empties != against.protocol.empty_cache_between_repeats) {
    return fmt::format("the series {} between repeats, the budget is for one that {}",
                       empties ? "emptied the cache" : "kept the cache",
                       empties ? "keeps it" : "empties it");
  }
  if (series.protocol.touch != against.protocol.touch) {
    return fmt::format(
        "the series {} the libraries before its cold pass, the budget is for one "
        "that {}",
        series.protocol.touch ? "touched" : "did not touch",
        series.protocol.touch ? "does not" : "does");
  }
  if (ran.options != asked.options) return "the series ran with other options than the budget's";
  return "";
}

void add_warnings(const series_record& series, const budget& against, verdict& result) {
  if (!is_described(series) && series.workload.name != against.workload.name) {
    result.warnings.push_back(fmt::format(
        "{} ran without a budget: that it is the {} that this one describes is not known",
        quoted_text(series.workload.name), quoted_text(against.workload.name)));
  }
  if (!series.fresh_process) {
    result.warnings.push_back(
        "the cold pass did not run in a fresh process: run one budget test in each process");
  }
  if (series.protocol.processes > 1) {
    result.warnings.push_back(
        fmt::format("process {} of {}: fresh processes in place of the budget's {} repeats",
                    series.protocol.process, series.protocol.processes, against.protocol.repeats));
  } else if (series.protocol != against.protocol && !series.program) {
    result.warnings.push_back(
        fmt::format("the series ran {} warmups and {} repeats, the budget asks for {} and {}",
                    series.protocol.warmup, series.protocol.repeats, against.protocol.warmup,
                    against.protocol.repeats));
  }
  add_retry_warnings(series, result);
  add_foreign_warnings(series, result);
  if (!against.steady_state_growth) return;
  for (const counter_spread& spread : spreads_of(series)) {
    const bool level = spread.counter == counter_id::allocated_current ||
                       spread.counter == counter_id::reserved_current;
    if (!level || !spread.lowest || !spread.highest) continue;
    const bytes width = *spread.highest - *spread.lowest;
    if (*against.steady_state_growth < width) {
      result.warnings.push_back(fmt::format(
          "{}: {} spreads over {} in the warm repeats, more than the growth of {} that is allowed",
          spread.device, words_of(spread.counter), format_exact(width),
          format_exact(*against.steady_state_growth)));
    }
  }
}

}  // namespace headroom
