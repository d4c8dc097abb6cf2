// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <benchmark/benchmark.h>

#include <headroom/benchmark/device_memory_manager.hpp>
#include <headroom/benchmark/workload_benchmark.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compared_training.hpp"
#include "options.hpp"

namespace headroom::kernels {

/// What rows of one number of layers know of the policy none, once it has run.
class checkpointing_baseline {
 public:
  void take_memory(const memory_passes& measured) { memory_ = measured; }
  void take_results(std::shared_ptr<const training_results> taken) { results_ = std::move(taken); }
  /// One call of Google Benchmark. @param seconds  mean of its iterations
  void take_time(::benchmark::IterationCount iterations, double seconds);

  /// Null where none did not run, or failed; as what follows.
  [[nodiscard]] std::shared_ptr<const training_results> results() const { return results_; }
  [[nodiscard]] std::optional<bytes> worst(counter_id counter) const;
  /// Of the calls with most iterations, which are those that are reported: the median.
  [[nodiscard]] std::optional<double> seconds() const;

 private:
  std::optional<memory_passes> memory_;
  std::shared_ptr<const training_results> results_;
  std::vector<std::pair<::benchmark::IterationCount, double>> times_;
};

/// One policy for one number of layers.
class checkpointing_row {
 public:
  /// @param on, manager  must outlive the row
  checkpointing_row(device& on, const device_memory_manager& manager,
                    const checkpointing_options& options, std::string policy, std::int64_t layers,
                    std::shared_ptr<checkpointing_baseline> none);

  /// A row of workload_benchmark, and against the policy none, where that was measured:
  ///   saved_allocated_peak, saved_reserved_peak  bytes that the worst peak is lower; below zero
  ///                                              where it is higher
  ///   time_against_none                          1.33: a third longer; where the device computes
  void run(::benchmark::State& state);

  [[nodiscard]] const std::string& name() const { return benchmark_.name(); }
  [[nodiscard]] const std::string& policy() const { return policy_; }
  [[nodiscard]] std::int64_t layers() const { return layers_; }
  /// Whether the time is that of work: on a device that computes.
  [[nodiscard]] bool works() const { return on_.computes(); }
  /// Why there are no figures; "" when there are, or before run.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  /// The policy or a size is not valid, and nothing was run.
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  [[nodiscard]] std::unique_ptr<workload> make();
  void compare_with_none(::benchmark::State& state, double seconds) const;

  device& on_;
  const device_memory_manager& manager_;
  workload_description training_;
  std::string policy_;
  std::int64_t layers_;
  std::shared_ptr<checkpointing_baseline> none_;
  workload_benchmark benchmark_;
  std::string failure_;
  bool refused_ = false;
};

}  // namespace headroom::kernels
