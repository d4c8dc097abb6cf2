// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <headroom/benchmark/memory_pass.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/run_series.hpp>

namespace headroom {
namespace {

pass_counters highest(const series_record& series, pass_kind pass) {
  pass_counters result;
  for (const counter_id counter : all_counters) {
    std::optional<bytes> most;
    bool complete = true;
    for (const phase_record& phase : series.phases) {
      if (phase.pass != pass || !series.is_judged_pass(phase)) continue;
      for (const device_reading& reading : phase.readings) {
        const std::optional<bytes>& value = reading.end[counter];
        complete = complete && value && phase.status == phase_status::ok;
        if (value) most = std::max(most.value_or(*value), *value);
      }
    }
    if (complete) result[static_cast<std::size_t>(counter)] = most;
  }
  return result;
}

void add(::benchmark::UserCounters& to, std::string_view pass, const pass_counters& from) {
  for (const counter_id counter : all_counters) {
    const std::optional<bytes>& value = from[static_cast<std::size_t>(counter)];
    if (value) to[fmt::format("{}_{}", pass, name_of(counter))] = byte_counter(*value);
  }
}

}  // namespace

std::optional<bytes> memory_passes::worst(counter_id counter) const {
  const auto& of_cold = cold[static_cast<std::size_t>(counter)];
  const auto& of_warm = warm[static_cast<std::size_t>(counter)];
  if (!of_cold || !of_warm) return std::nullopt;
  return std::max(*of_cold, *of_warm);
}

std::string memory_passes::failure() const {
  if (result.outcome == outcome::within) return "";
  return fmt::format("{} in the memory pass: {}; artifact {}", words_of(result.outcome),
                     result.reason, artifact.string());
}

memory_passes run_memory_passes(device& on, workload& work, const memory_pass_options& options) {
  artifact_file file(options.artifact_folder, options.name, on.info().id, nullptr);
  series_options passes;
  passes.protocol = options.protocol;
  passes.test = options.name;
  memory_passes measured;
  measured.series = run_series(on, work, passes);
  measured.series.id = file.id();
  measured.result = judge_without_budget(measured.series);
  measured.artifact = file.path();
  measured.cold = highest(measured.series, pass_kind::cold);
  measured.warm = highest(measured.series, pass_kind::warm);
  file.finish(measured.series, measured.result, nullptr);
  return measured;
}

void add_counters(::benchmark::UserCounters& to, const memory_passes& from) {
  add(to, "cold", from.cold);
  add(to, "warm", from.warm);
}

::benchmark::Counter byte_counter(bytes size) {
  return {static_cast<double>(size.n), ::benchmark::Counter::kDefaults,
          ::benchmark::Counter::kIs1024};
}

std::filesystem::path default_artifact_folder() {
  const char* const named = std::getenv("HEADROOM_ARTIFACT_DIR");
  return named != nullptr && *named != '\0' ? named : "headroom-artifacts";
}

}  // namespace headroom
