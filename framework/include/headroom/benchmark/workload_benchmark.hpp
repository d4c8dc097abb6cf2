// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <benchmark/benchmark.h>

#include <filesystem>
#include <functional>
#include <headroom/benchmark/memory_pass.hpp>
#include <headroom/device/device.hpp>
#include <headroom/series/workload.hpp>
#include <memory>
#include <optional>
#include <string>

namespace headroom {

struct workload_benchmark_options {
  headroom::protocol protocol{1, 2};  ///< of the memory passes
  int untimed_passes = 1;             ///< before the timed ones
  std::filesystem::path artifact_folder = default_artifact_folder();
};

/// A workload as a benchmark. Memory and time are separate: when it first runs, a workload is made
/// for the cold and warm memory passes and ended; then, each time Google Benchmark asks, another
/// one is made, and its passes are timed with no counter read in between.
///
/// What goes wrong in either is reported with SkipWithError; the row has no counters then.
class workload_benchmark {
 public:
  using factory = std::function<std::unique_ptr<workload>()>;

  /// @param on    must outlive the benchmark; holds nothing else while the memory passes run
  /// @param name  of the row
  /// @param make  makes a new workload each time; what it throws is an error of the row
  workload_benchmark(device& on, std::string name, factory make,
                     workload_benchmark_options options = {});

  /// Runs the memory passes, once; run() does where nobody did before.
  void measure_memory();
  /// Runs the row. It takes UseManualTime(): the time is the device's (stopwatch). The row gets the
  /// counters of add_counters, and a label that names peaks with their unit, what was not measured,
  /// and a prediction as one.
  /// @return  mean seconds of a timed pass; nothing after an error
  std::optional<double> run(::benchmark::State& state);

  /// Of the memory passes; null before them, and when they failed.
  [[nodiscard]] const memory_passes* memory() const;
  /// Why the memory passes failed; "" when they did not.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  double time(::benchmark::State& state);

  device& on_;
  std::string name_;
  factory make_;
  workload_benchmark_options options_;
  std::optional<memory_passes> memory_;
  std::string failure_;
};

/// Registers the workload as a benchmark of its own.
/// @return  for ->Unit(), ->MinTime() and the like
::benchmark::internal::Benchmark* register_workload_benchmark(
    device& on, const std::string& name, workload_benchmark::factory make,
    workload_benchmark_options options = {});

}  // namespace headroom
