// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>

#include "artifact_paths.hpp"
#include "check_writer.hpp"
#include "command.hpp"
#include "option_values.hpp"
#include "points.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

class check_command final : public command {
 public:
  [[nodiscard]] command_words words() const override {
    return {
        .name = "check",
        .purpose = "stored artifacts against a budget, offline",
        .arguments = "--budget FILE ARTIFACT...",
        .details =
            "Judges artifacts again, by the budget as it is now. No device is needed. A folder "
            "stands for all artifacts in it and below; a series that began and left no artifact "
            "is not finished.\n"
            "--format github prints annotations at the budget's lines, junit and tap what "
            "test reports read.",
        .exits =
            "0 all are within the budget\n"
            "1 one exceeds it\n"
            "2 a series was skipped: its device was not there\n"
            "3 an option, the budget or an artifact is not valid\n"
            "5 a workload failed or ran out of memory\n"
            "6 a verdict is unknown, a series is of another workload or not finished\n"
            "Where several are true, the first of 3, 2, 5, 6, 1.",
        .example =
            "headroom check --budget budgets/dense_forward_typical.json \\\n"
            "  headroom-artifacts\n"
            "headroom check --budget b.json --format junit a.json >report.xml"};
  }

  void declare(CLI::App& options) override {
    options.add_option("ARTIFACT", paths_, "artifacts, or folders that hold some");
    options.add_option("--budget", budget_, "the budget file")->type_name("FILE");
    options.add_option("--format", format_, "text (default), json, github, junit, tap")
        ->type_name("NAME");
    options.add_flag("--json", json_, "as --format json");
  }

  exit_code run(const console& io) override {
    if (budget_.empty()) throw usage_error("check: --budget is missing; name the budget file");
    if (paths_.empty()) throw usage_error("check: no artifact; name some, or a folder of them");
    if (json_ && format_) throw usage_error("--json and --format: give one of them");
    const std::vector<std::string> known(check_formats.begin(), check_formats.end());
    const std::string format = json_ ? "json" : one_of("--format", format_.value_or("text"), known);
    const budget against = read_budget(budget_);
    const std::vector<fs::path> files = artifact_paths(paths_);
    const std::unique_ptr<check_writer> writer = make_check_writer(format, io.out);
    writer->begin(against);
    for (const fs::path& file : files) check_file(file, against, *writer);
    writer->end(totals_);
    return worst_;
  }

 private:
  void note(exit_code code, std::string_view words) {
    worst_ = worse(worst_, code);
    ++totals_[std::string(words)];
  }

  void check_file(const fs::path& file, const budget& against, check_writer& writer) {
    try {
      if (is_start(file)) {
        writer.unfinished(file, read_start_record(file));
        return note(exit_code::unknown, "not finished");
      }
      const stored_artifact stored = read_artifact(file);
      const verdict result = judge(stored.series, against);
      writer.artifact({file, stored, result, against});
      note(static_cast<exit_code>(exit_code_of(result.outcome)), words_of(result.outcome));
    } catch (const artifact_error& fault) {
      writer.unreadable(file, fault.what());
      note(exit_code::invalid_input, "not an artifact");
    }
  }

  std::vector<std::string> paths_;
  std::string budget_;
  std::optional<std::string> format_;
  bool json_ = false;
  exit_code worst_ = exit_code::done;
  check_totals totals_;
};

}  // namespace

std::unique_ptr<command> make_check(const program& /*of*/) {
  return std::make_unique<check_command>();
}

}  // namespace headroom::cli
