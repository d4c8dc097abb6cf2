// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <chrono>
#include <headroom/cli/program.hpp>
#include <headroom/device/buffer.hpp>
#include <stdexcept>
#include <thread>

namespace headroom::cli {

/// What the bundled workloads do not do: fail, take long, need more for less.
class odd_workload final : public workload {
 public:
  explicit odd_workload(workload_description description) : description_(std::move(description)) {}
  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "pass"; }
  void load(run_context& run) override {
    weights_ = buffer(run.device(), 1_MiB * description_.requested.at("size"), tag::weights);
  }
  void make_inputs(run_context& /*run*/) override {}
  void run_pass(run_context& run) override {
    const std::int64_t size = description_.requested.at("size");
    if (description_.operation == "broken") throw std::runtime_error("no such kernel");
    if (description_.operation == "slow" && size > 1) {
      std::this_thread::sleep_for(std::chrono::seconds(60));
    }
    const bool jump = description_.operation == "jumps" && size % 8 == 5;
    const buffer scratch(run.device(), 1_MiB * (jump ? 100 : 2), tag::workspace);
  }

 private:
  workload_description description_;
  buffer weights_;
};

inline program odd_program() {
  workload_entry odd;
  odd.name = "odd";
  odd.what = "what the bundled workloads do not do";
  odd.operations = {"plain", "broken", "slow", "jumps"};
  odd.dtypes = {"float32"};
  odd.dimensions = {{"size", "MiB of weights"}};
  odd.make = [](const workload_description& of) { return std::make_unique<odd_workload>(of); };
  program of;
  of.name = "odd-program";
  of.workloads.add(std::move(odd));
  return of;
}

}  // namespace headroom::cli
