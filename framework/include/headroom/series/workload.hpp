// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/workload_description.hpp>
#include <headroom/device/device.hpp>
#include <headroom/series/check.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

class phase_recorder;

/// What a workload is given while it runs.
class run_context {
 public:
  run_context(device& on, phase_recorder& recorder) : device_(on), recorder_(recorder) {}

  [[nodiscard]] headroom::device& device() const { return device_; }

  /// Runs `body` as a phase inside the one that is open, between two synchronized boundaries.
  /// An exception of the body is recorded with its phase and passed on.
  template <class Body>
  void phase(std::string_view name, Body&& body);

 private:
  headroom::device& device_;
  phase_recorder& recorder_;
};

/// A model or any other code whose memory is measured. The series calls load, make_inputs, then
/// run_pass for the cold pass, each warmup and each warm repeat, then finish.
class workload {
 public:
  virtual ~workload() = default;

  /// What is run; `requested` are the dimensions asked for.
  [[nodiscard]] virtual const workload_description& description() const = 0;
  /// The dimensions that run. Differ from the requested ones where the workload truncates or pads;
  /// the verdict then says that the requested load was not validated.
  [[nodiscard]] virtual dimensions executed() const { return description().requested; }
  /// What a pass is called: "forward" gives the phases cold_forward and warm_forward.
  [[nodiscard]] virtual std::string_view pass_name() const = 0;

  /// Phase `model_load`: weights and whatever lives as long as the model.
  virtual void load(run_context& run) = 0;
  /// Phase `inputs`.
  virtual void make_inputs(run_context& run) = 0;
  /// One pass. Its own inner phases are opened with run.phase().
  virtual void run_pass(run_context& run) = 0;
  /// After the last repeat, for phases of its own (evaluate, export).
  virtual void finish(run_context&) {}

  /// Settings of the run that are not dimensions, for example the workspace of the matrix library.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> settings() const {
    return {};
  }
  /// Comparisons of results that were made, for the artifact.
  [[nodiscard]] virtual std::vector<check> checks() const { return {}; }
};

}  // namespace headroom
