// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/json_document.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/new_file.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/report/limit_update.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/environment.hpp>

#include "artifact_paths.hpp"
#include "command.hpp"
#include "option_values.hpp"

namespace headroom::cli {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;  // of an artifact

class update_command final : public command {
 public:
  [[nodiscard]] command_words words() const override {
    return {.name = "update",
            .purpose = "new limits from measured artifacts, with reason and history",
            .arguments = "ARTIFACT...",
            .details =
                "Proposes for each upper limit the highest reading of the artifacts plus the "
                "margin. A limit is raised only when it is named with --limit; without --limit "
                "limits are lowered only. Nothing else of the file changes; each change adds an "
                "entry to its history. Without --write or --output the change is only shown.",
            .exits =
                "0 done, or nothing to change\n"
                "1 a limit is exceeded and was not named: it stays as it is\n"
                "3 an option, the budget or an artifact is not valid, or an artifact is of another "
                "workload\n"
                "4 the output exists or could not be written",
            .example =
                "headroom update --budget budgets/decoder.json --margin 2% \\\n"
                "  --limit allocated_peak --reason \"logits are kept in float32\" \\\n"
                "  headroom-artifacts/decoder.json --write"};
  }

  void declare(CLI::App& options) override {
    options.add_option("ARTIFACT", paths_, "artifacts of whole series, or folders of them");
    options.add_option("--budget", budget_, "the budget file")->type_name("FILE");
    options
        .add_option("--margin", margin_,
                    "above the highest reading: a share, 5%, or a size, \"64 MiB\"; \"0 B\" for "
                    "none")
        ->type_name("M");
    options.add_option("--reason", reason_, "why, for the history")->type_name("TEXT");
    options
        .add_option("--limit", named_,
                    "change this limit alone, and let it be raised: a counter, allocated_peak, a "
                    "JSON pointer, /phase_limits/0/limits/reserved_peak, or all; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    options.add_flag("--write", write_, "change the budget file");
    options.add_option("--output", output_, "write the changed budget to a new file")
        ->type_name("FILE");
  }

  exit_code run(const console& io) override {
    check_options();
    const budget of = read_budget(budget_);
    std::vector<update_source> sources;
    for (const std::filesystem::path& file : artifact_paths(paths_)) {
      if (!is_start(file)) sources.push_back(read_source(file));
    }
    if (sources.empty()) throw usage_error("update: no artifact of a finished series");
    const update_request request{parse_margin(margin_), named_, reason_, utc_now()};
    const std::vector<limit_change> changes = plan_update(of, sources, request);
    const std::string text = updated_text(of, sources, request, changes);
    if (!output_.empty()) write_new_file(output_, text);
    if (write_ && text != of.source) replace_file(of.file, of.source, text);
    io.out << update_text(of, sources, request, changes, text);
    if (text != of.source) io.out << what_was_written() << '\n';
    const bool left = std::any_of(changes.begin(), changes.end(), [](const limit_change& each) {
      return each.action == update_action::not_asked;
    });
    return left ? exit_code::exceeded : exit_code::done;
  }

 private:
  void check_options() const {
    const auto require = [](bool given, std::string_view what) {
      if (!given) throw usage_error(fmt::format("update: {}", what));
    };
    require(!budget_.empty(), "--budget is missing; name the budget file");
    require(!margin_.empty(),
            "--margin is missing; say how far above the reading a limit is, for example --margin "
            "2%, or --margin \"0 B\"");
    require(!reason_.empty(), "--reason is missing; say why, for those who read the history");
    require(!paths_.empty(), "no artifact; name some, or a folder of them");
    if (const std::string fault = fault_of_text(reason_); !fault.empty()) {
      throw usage_error(fmt::format("--reason {}: {}", quoted_text(reason_), fault));
    }
    if (write_ && !output_.empty()) {
      throw usage_error("--write and --output: give one of them");
    }
    if (!output_.empty()) refuse_existing(output_);
  }

  static update_source read_source(const std::filesystem::path& file) {
    const text_file content = read_text_file(file, most_bytes);
    if (!content.text) throw artifact_error(content.problems.front().text());
    return {file.string(), sha256_of(*content.text), parse_artifact(*content.text, file.string())};
  }

  [[nodiscard]] std::string what_was_written() const {
    if (write_) return "written: " + budget_;
    if (!output_.empty()) return "written: " + output_;
    return "Nothing was written; --write changes the file.";
  }

  std::vector<std::string> paths_;
  std::string budget_;
  std::string margin_;
  std::string reason_;
  std::vector<std::string> named_;
  bool write_ = false;
  std::string output_;
};

}  // namespace

std::unique_ptr<command> make_update(const program& /*of*/) {
  return std::make_unique<update_command>();
}

}  // namespace headroom::cli
