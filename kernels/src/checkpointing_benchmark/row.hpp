// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <benchmark/benchmark.h>

#include <headroom/benchmark/workload_benchmark.hpp>
#include <memory>
#include <string>

#include "compared_training.hpp"
#include "options.hpp"

namespace headroom::kernels {

/// One policy for one number of layers.
class checkpointing_row {
 public:
  /// @param on    must outlive the row
  /// @param none  the row of the policy none for as many layers; null: this is that row
  checkpointing_row(device& on, const checkpointing_options& options, std::string policy,
                    std::int64_t layers, std::shared_ptr<checkpointing_row> none);

  /// A row of workload_benchmark. The memory of none is measured first; where it could be, this row
  /// gets saved_allocated_peak and saved_reserved_peak too: bytes that its worst peak is lower,
  /// below zero where it is higher.
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
  void measure_memory() { benchmark_.measure_memory(); }
  void add_saved(::benchmark::UserCounters& to) const;

  device& on_;
  workload_description training_;
  std::string policy_;
  std::int64_t layers_;
  std::shared_ptr<checkpointing_row> none_;
  compared_training::results results_;  // of none
  workload_benchmark benchmark_;
  std::string failure_;
  bool refused_ = false;
};

}  // namespace headroom::kernels
