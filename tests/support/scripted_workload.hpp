// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <headroom/device/buffer.hpp>
#include <headroom/series/workload.hpp>

namespace headroom::test {

/// 4 MiB of weights and 1 MiB of inputs; what a pass does is set by the test.
class scripted_workload final : public workload {
 public:
  using action = std::function<void(run_context&, int pass)>;
  /// @param on_pass  pass counts from 0 in each workload
  explicit scripted_workload(action on_pass) : on_pass_(std::move(on_pass)) {}

  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "step"; }
  void load(run_context& run) override { weights_ = buffer(run.device(), 4_MiB, tag::weights); }
  void make_inputs(run_context& run) override {
    inputs_ = buffer(run.device(), 1_MiB, tag::inputs);
  }
  void run_pass(run_context& run) override { on_pass_(run, pass_++); }
  [[nodiscard]] std::vector<check> checks() const override { return checks_; }
  void add_check(check made) { checks_.push_back(std::move(made)); }

 private:
  workload_description description_{"scripted", "step", "1", 0, "float32", {{"batch", 1}}, {}};
  action on_pass_;
  buffer weights_;
  buffer inputs_;
  int pass_ = 0;
  std::vector<check> checks_;
};

}  // namespace headroom::test
