// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/core/workload_description.hpp>
#include <headroom/device/allocator.hpp>
#include <headroom/device/counter_source.hpp>
#include <headroom/device/device.hpp>
#include <headroom/device/rehearsal.hpp>
#include <headroom/series/calibration_record.hpp>
#include <headroom/series/check.hpp>
#include <headroom/series/environment.hpp>
#include <headroom/series/phase_record.hpp>
#include <headroom/series/probe.hpp>
#include <headroom/series/program_record.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

/// A device that took part, with its allocator and the source of its counters.
struct device_record {
  device_info info;
  allocator_description allocator;
  source_description source;
  std::optional<rehearsal_record> rehearsed;  ///< out of memory was rehearsed
};

/// One series as it ran: what was run, where, and every reading. What it means is for judge().
struct series_record {
  std::string id;       ///< unique
  std::string created;  ///< UTC
  std::string test;     ///< "DenseTypical.FitsBudget"; "" outside of a test
  tool_record tool;
  workload_description workload;
  dimensions executed;
  std::vector<std::pair<std::string, std::string>> settings;
  headroom::protocol protocol;
  std::string pass_name;       ///< "forward"
  bool fresh_process = false;  ///< nothing was measured in this process before the cold pass
  std::vector<probe_record> probes;
  environment_record environment;
  std::vector<device_record> devices;
  std::vector<phase_record> phases;
  std::vector<check> checks;
  std::optional<program_record> program;          ///< of `headroom run`
  std::optional<calibration_record> calibration;  ///< of `headroom run --beside`
  std::optional<std::string> setup_error;         ///< why the workload was not started
  std::optional<std::string> skipped;             ///< why nothing was run

  /// True unless every device is a real CUDA device.
  [[nodiscard]] bool prediction() const;
  /// The first device on which out of memory was rehearsed, or null. Such a series is never a pass.
  [[nodiscard]] const device_record* rehearsed_device() const;
  /// The first phase that failed by itself, or null.
  [[nodiscard]] const phase_record* failed_phase() const;
  [[nodiscard]] bool is_judged_pass(const phase_record& phase) const;
};

/// Lowest and highest value of a counter over the warm repeats.
struct counter_spread {
  std::string device;
  counter_id counter = counter_id::allocated_current;
  std::optional<bytes> lowest;
  std::optional<bytes> highest;
};
[[nodiscard]] std::vector<counter_spread> spreads_of(const series_record& series);

}  // namespace headroom
