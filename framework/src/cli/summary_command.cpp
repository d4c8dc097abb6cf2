// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/report/artifact_summary.hpp>
#include <headroom/report/words.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "artifact_paths.hpp"
#include "command.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

// The worst first: what could not be read, failed, is unknown, was not run, is over its budget.
constexpr std::array severity{exit_code::invalid_input, exit_code::workload_failed,
                              exit_code::unknown,       exit_code::no_device,
                              exit_code::exceeded,      exit_code::done};

json to_json(const std::optional<bytes>& value) { return value ? json(value->n) : json(nullptr); }

json limit_json(const limit_verdict& judged) {
  return {{"device", judged.device},
          {"counter", name_of(judged.counter)},
          {"scope", name_of(judged.scope)},
          {"bound", name_of(judged.bound)},
          {"phase", judged.phase},
          {"limit_bytes", to_json(judged.limit)},
          {"measured_bytes", to_json(judged.measured)},
          {"headroom_bytes", to_json(headroom_of(judged))},
          {"verdict", name_of(judged.result)}};
}

json artifact_json(const stored_artifact& artifact, const fs::path& file) {
  json devices = json::array();
  for (const device_record& device : artifact.series.devices) devices.push_back(device.info.id);
  json limits = json::array();
  for (const limit_verdict& judged : summarized_limits(artifact.result)) {
    limits.push_back(limit_json(judged));
  }
  return {{"file", file.string()},
          {"budget", artifact.against ? json(artifact.against->name) : json(nullptr)},
          {"test", artifact.series.test},
          {"devices", devices},
          {"prediction", artifact.series.prediction()},
          {"outcome", name_of(artifact.result.outcome)},
          {"reason", artifact.result.reason},
          {"limits", limits}};
}

json start_json(const start_record& started, const fs::path& file) {
  return {{"file", file.string()},
          {"budget_file", started.budget ? json(*started.budget) : json(nullptr)},
          {"test", started.test},
          {"device", started.device},
          {"created", started.created}};
}

class summary_command final : public command {
 public:
  [[nodiscard]] command_words words() const override {
    return {
        .name = "summary",
        .purpose = "what the artifacts of a test run say: outcome, limits, headroom",
        .arguments = "PATH...",
        .details =
            "Shows for each artifact its budget, test and device, the outcome, and how much "
            "headroom is left under each limit of the judged passes (limit - measured; negative "
            "when it is over). A folder stands for all artifacts in it and below. A series "
            "that began and left no artifact is shown as not finished.",
        .exits =
            "0 all are within their budgets\n"
            "1 a budget is exceeded\n"
            "2 a series was skipped\n"
            "3 a file is not an artifact, or there is none\n"
            "5 a workload failed or ran out of memory\n"
            "6 a verdict is unknown, a meter did not prove itself, or a series did not "
            "finish\n"
            "Where several are true, the first of 3, 5, 6, 2, 1.",
        .example =
            "headroom summary headroom-artifacts\n"
            "headroom summary headroom-artifacts --json"};
  }

  void declare(CLI::App& options) override {
    options.add_option("PATH", paths_, "artifacts, or folders that hold some");
    options.add_flag("--json", json_, "print one JSON document");
  }

  exit_code run(const console& io) override {
    if (paths_.empty()) {
      throw usage_error("summary: no path; write headroom summary FOLDER, or name artifacts");
    }
    for (const fs::path& file : artifact_paths(paths_)) {
      try {
        is_start(file) ? show_start(file, io) : show_artifact(file, io);
      } catch (const artifact_error& fault) {
        io.out.flush();
        io.err << "headroom: " << fault.what() << '\n';
        note(exit_code::invalid_input, "not an artifact");
      }
    }
    json_ ? close_json(io) : show_totals(io);
    return *std::find_if(severity.begin(), severity.end(),
                         [this](exit_code code) { return seen_.count(code) != 0; });
  }

 private:
  void note(exit_code code, const std::string& words) {
    seen_.insert(code);
    ++totals_[words];
    ++files_;
  }

  void show_artifact(const fs::path& file, const console& io) {
    const stored_artifact artifact = read_artifact(file);
    const outcome result = artifact.result.outcome;
    note(static_cast<exit_code>(exit_code_of(result)), std::string(words_of(result)));
    if (!artifact.series.prediction()) ++measurements_;
    if (json_) {
      artifacts_.push_back(artifact_json(artifact, file));
    } else {
      io.out << artifact_summary(artifact, file) << '\n';
    }
  }

  void show_start(const fs::path& file, const console& io) {
    const start_record started = read_start_record(file);
    note(exit_code::unknown, "not finished");
    if (json_) {
      unfinished_.push_back(start_json(started, file));
    } else {
      io.out << start_summary(started, file) << '\n';
    }
  }

  void show_totals(const console& io) const {
    std::string text = fmt::format("{} series", files_);
    const char* before = ": ";
    for (const auto& [words, count] : totals_) {
      text += fmt::format("{}{} {}", before, count, words);
      before = ", ";
    }
    io.out << wrap(text, 2) << '\n';
    if (measurements_ == 0) io.out << "No GPU was measured: these are predictions.\n";
  }

  void close_json(const console& io) const {
    json totals = json::object();
    for (const auto& [words, count] : totals_) totals[words] = count;
    const json document = {{"schema", "headroom-summary/1"},
                           {"artifacts", artifacts_},
                           {"unfinished", unfinished_},
                           {"totals", totals}};
    // A file's name may not be UTF-8: it is shown, never lost.
    io.out << document.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
  }

  std::vector<std::string> paths_;
  bool json_ = false;

  std::set<exit_code> seen_;
  std::map<std::string, int> totals_;
  int files_ = 0;
  int measurements_ = 0;
  json artifacts_ = json::array();
  json unfinished_ = json::array();
};

}  // namespace

std::unique_ptr<command> make_summary(const program& /*of*/) {
  return std::make_unique<summary_command>();
}

}  // namespace headroom::cli
