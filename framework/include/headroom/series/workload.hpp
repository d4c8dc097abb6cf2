// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/workload_description.hpp>
#include <headroom/series/check.hpp>
#include <headroom/series/run_context.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

/// A model or any other code whose memory is measured. A series calls load, make_inputs, then
/// run_pass for the cold pass, each warmup and each warm repeat, then finish. What a pass keeps
/// alive for the next one, it keeps in the workload.
class workload {
 public:
  virtual ~workload() = default;
  workload() = default;
  workload(const workload&) = delete;
  workload& operator=(const workload&) = delete;

  /// What is run; its dimensions are those asked for.
  [[nodiscard]] virtual const workload_description& description() const = 0;
  /// The dimensions that run. Where a workload truncates or pads they differ from the requested
  /// ones, and the verdict says that the requested load was not validated.
  [[nodiscard]] virtual dimensions executed() const { return description().requested; }
  /// How many devices it runs on. Weights, reserve and limits of a budget are those of each.
  [[nodiscard]] virtual int device_count() const { return 1; }
  /// What a pass is called: "forward" gives the phases cold_forward and warm_forward.
  [[nodiscard]] virtual std::string_view pass_name() const = 0;

  /// Phase `touch`, where the protocol asks for it: uses each library and some kernel once, so that
  /// what they take of a device at first use is there before the model is. Keeps no memory.
  virtual void touch(run_context& /*run*/) {}
  /// Phase `model_load`: weights and whatever lives as long as the model.
  virtual void load(run_context& run) = 0;
  /// Phase `inputs`.
  virtual void make_inputs(run_context& run) = 0;
  /// One pass. Inner phases are opened with run.phase().
  virtual void run_pass(run_context& run) = 0;
  /// After the last repeat, for phases of its own, for example evaluate and export.
  virtual void finish(run_context& /*run*/) {}

  /// Settings of the run that are not dimensions, for example the workspace of the matrix library.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> settings() const {
    return {};
  }
  /// Comparisons of results that were made, for the artifact.
  [[nodiscard]] virtual std::vector<check> checks() const { return {}; }
};

}  // namespace headroom
