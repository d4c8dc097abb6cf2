// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <CLI/CLI.hpp>
#include <headroom/core/error.hpp>
#include <headroom/report/compare.hpp>

#include "artifact_paths.hpp"
#include "command.hpp"
#include "option_values.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

exit_code code_of(comparison_result result) {
  switch (result) {
    case comparison_result::no_growth:
      return exit_code::done;
    case comparison_result::grown:
      return exit_code::exceeded;
    case comparison_result::failed:
      return exit_code::workload_failed;
    case comparison_result::skipped:
      return exit_code::no_device;
    case comparison_result::unknown:
    case comparison_result::not_comparable:
      break;
  }
  return exit_code::unknown;
}

class compare_command final : public command {
 public:
  [[nodiscard]] command_words words() const override {
    return {
        .name = "compare",
        .purpose = "two stored artifacts, phase by phase and counter by counter",
        .arguments = "BASE HEAD",
        .details =
            "Shows the four counters of each phase in both, the highest of its repeats, and says "
            "where each grew or fell most, and whose bytes these are. Warmups are shown and not "
            "judged.\n"
            "Series of another workload, other sizes, another allocator or other settings, or a "
            "prediction and a measurement, are not comparable: the reasons are named, and no "
            "figures are shown.",
        .exits =
            "0 no counter grew by more than the tolerance\n"
            "1 one grew\n"
            "2 a series was skipped: its device was not there\n"
            "3 an option or an artifact is not valid\n"
            "5 a series failed or ran out of memory\n"
            "6 they are not comparable, or a reading is missing\n"
            "Growth in what was read is told where readings are missing too.",
        .example =
            "headroom compare main/dense.json branch/dense.json\n"
            "headroom compare main/dense.json branch/dense.json --tolerance \"2 MiB\""};
  }

  void declare(CLI::App& options) override {
    options.add_option("ARTIFACT", paths_, "the base, then the head");
    options
        .add_option("--tolerance", tolerance_,
                    "how much a counter may grow: a size, default \"0 B\"")
        ->type_name("SIZE");
    options.add_flag("--json", json_, "print one JSON document");
  }

  exit_code run(const console& io) override {
    if (paths_.size() != 2) {
      throw usage_error(
          "compare: two artifacts are compared; write headroom compare BASE.json HEAD.json");
    }
    const bytes tolerance = tolerance_.empty() ? bytes{0} : size_option("--tolerance", tolerance_);
    for (const std::string& path : paths_) {
      if (is_start(path)) {
        io.err << "headroom: " << path << ": started, not finished: nothing was measured\n";
        return exit_code::unknown;
      }
    }
    const stored_artifact base = read_artifact(paths_[0]);
    const stored_artifact head = read_artifact(paths_[1]);
    const comparison all = compare(base, head, tolerance);
    const compared_artifact left{base, paths_[0]};
    const compared_artifact right{head, paths_[1]};
    io.out << (json_ ? comparison_json(all, left, right) : comparison_text(all, left, right));
    return code_of(all.result);
  }

 private:
  std::vector<std::string> paths_;
  std::string tolerance_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<command> make_compare(const program& /*of*/) {
  return std::make_unique<compare_command>();
}

}  // namespace headroom::cli
