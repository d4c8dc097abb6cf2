// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/new_file.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/report/budget_report.hpp>
#include <headroom/series/artifact_reader.hpp>

#include "option_values.hpp"
#include "request_options.hpp"

namespace headroom::cli {
namespace {

class budget_new_command final : public command {
 public:
  explicit budget_new_command(const program& of) : program_(of), request_(of) {}

  [[nodiscard]] command_words words() const override {
    return {
        .name = "budget new",
        .purpose = "a starting budget from a measured or planned series",
        .arguments = "--output FILE",
        .details =
            "Writes a complete, valid budget: weights by formula, a reserve item for each tag "
            "that held bytes at the highest allocated peak, limits at what was read. Every "
            "reserve item is marked assumed: say what makes it up before it guards anything. "
            "From --artifact, or from a series that is run now, on plan:SIZE in milliseconds. Of a "
            "program that ran under headroom run, the weights are those that its framework "
            "reported, and the items are by phase.",
        .exits =
            "0 done\n2 the device is not there\n3 an option or the artifact is not valid\n4 "
            "the output exists or could not be written\n5 the workload failed or ran out of "
            "memory",
        .example =
            "headroom budget new --output budgets/dense.json --device plan:24GB \\\n"
            "  --workload dense --batch 2 --context 128 --width 1024 --layers 4\n"
            "headroom budget new --output budgets/dense.json --artifact dense.json",
        .runs_series = true};
  }

  void declare(CLI::App& options) override {
    options.add_option("--output", output_, "the budget, a new file; - for standard output")
        ->type_name("FILE.json");
    options.add_option("--artifact,--from", artifact_, "take this series, and run none")
        ->type_name("FILE");
    options.add_option("--name", name_, "of the budget (default: workload and operation)")
        ->type_name("NAME");
    request_.declare(options, false);
  }

  exit_code run(const console& io) override {
    if (output_.empty()) {
      throw usage_error(
          "budget new: --output is missing; name a new file, or - for standard "
          "output");
    }
    if (output_ != "-") refuse_existing(output_);
    if (name_ && !fault_of_text(*name_).empty()) {
      throw usage_error(fmt::format("--name {}: {}", quoted_text(*name_), fault_of_text(*name_)));
    }
    const series_record series = artifact_.empty() ? run_now(io) : read_artifact(artifact_).series;
    const verdict alone = judge_without_budget(series);
    if (!ran_whole(series)) {
      io.err << program_.name << ": the series did not run whole: " << alone.reason << '\n';
      return exit_of(alone);
    }
    const std::string text =
        new_budget_text(series, weights_of(series.workload),
                        name_.value_or(series.workload.name + "_" + series.workload.operation));
    if (output_ == "-") {
      io.out << text;
      return exit_code::done;
    }
    write_new_file(output_, text);
    io.out << "written: " << output_ << "\nEvery reserve item in it is assumed: say what makes it "
           << "up, then remove what you cannot justify.\n";
    return exit_code::done;
  }

 private:
  [[nodiscard]] series_record run_now(const console& io) {
    measure_request request = request_.read("");
    request_options::settle_automatic(request.device, io);
    return run_request(program_, request).series;
  }

  /// By formula, where this program has the workload and it says so.
  [[nodiscard]] std::vector<weight_group> weights_of(const workload_description& work) const {
    for (const workload_entry& entry : program_.workloads.entries()) {
      if (entry.name == work.name && entry.weights) return entry.weights(work);
    }
    return {};
  }

  const program& program_;
  request_options request_;
  std::string output_;
  std::string artifact_;
  std::optional<std::string> name_;
};

}  // namespace

std::unique_ptr<command> make_budget_new(const program& of) {
  return std::make_unique<budget_new_command>(of);
}

}  // namespace headroom::cli
