// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// A workload of your own under headroom's command line: measure, sweep, boundary and all the
// others. A solver of a fluid on a grid: velocity and pressure live on, a pass needs a second
// velocity field.
#include <headroom/cli/program.hpp>
#include <headroom/device/buffer.hpp>

namespace {

class fluid : public headroom::workload {
 public:
  explicit fluid(headroom::workload_description description)
      : description_(std::move(description)), cells_(cells_of(description_)) {}
  const headroom::workload_description& description() const override { return description_; }
  std::string_view pass_name() const override { return "step"; }
  void load(headroom::run_context& run) override {
    velocity_ = headroom::buffer(run.device(), cells_ * 3 * 4, headroom::tag::weights);
    pressure_ = headroom::buffer(run.device(), cells_ * 4, headroom::tag::weights);
  }
  void make_inputs(headroom::run_context&) override {}
  void run_pass(headroom::run_context& run) override {
    run.phase("advect", [&] {
      const headroom::buffer next(run.device(), cells_ * 3 * 4, headroom::tag::temporary);
    });
    run.phase("project", [&] {
      const headroom::buffer residual(run.device(), cells_ * 4, headroom::tag::workspace);
    });
  }

 private:
  static headroom::bytes cells_of(const headroom::workload_description& of) {
    const std::int64_t edge = of.requested.at("edge");
    return headroom::bytes{edge * edge * edge};
  }
  headroom::workload_description description_;
  headroom::bytes cells_;
  headroom::buffer velocity_;
  headroom::buffer pressure_;
};

}  // namespace

int main(int count, char** arguments) {
  headroom::workload_entry entry;
  entry.name = "fluid";
  entry.what = "a fluid on a cubic grid";
  entry.operations = {"step"};
  entry.dtypes = {"float32"};
  entry.dimensions = {{"edge", "cells along one edge"}};
  entry.make = [](const auto& description) { return std::make_unique<fluid>(description); };
  headroom::cli::program program{.name = "fluid"};
  program.workloads.add(entry);
  return headroom::cli::run_main(program, count, arguments);
}
