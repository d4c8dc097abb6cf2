// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// budget show and budget validate: both read what is there.

#include <CLI/CLI.hpp>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <headroom/report/budget_report.hpp>
#include <headroom/report/words.hpp>

#include "command.hpp"

namespace headroom::cli {
namespace {

class budget_show_command final : public command {
 public:
  [[nodiscard]] command_words words() const override {
    return {.name = "budget show",
            .purpose = "how the limits of a budget come together",
            .arguments = "FILE",
            .details =
                "Weights by formula, the reserve with its reasons, the envelope and its basis, "
                "every limit with its line in the file, devices and history.",
            .exits = "0 done\n3 the budget is not valid; every fault of it is printed",
            .example =
                "headroom budget show budgets/dense_train_typical.json\n"
                "headroom budget show budgets/dense_train_typical.json --json"};
  }
  void declare(CLI::App& options) override {
    options.add_option("FILE", file_, "the budget file");
    options.add_flag("--json", json_, "print one JSON document");
  }
  exit_code run(const console& io) override {
    if (file_.empty()) throw usage_error("budget show: no budget; name the file");
    const budget read = read_budget(file_);
    io.out << (json_ ? budget_json(read) : budget_text(read));
    return exit_code::done;
  }

 private:
  std::string file_;
  bool json_ = false;
};

class budget_validate_command final : public command {
 public:
  [[nodiscard]] command_words words() const override {
    return {.name = "budget validate",
            .purpose = "whether budget files are valid; every fault of them",
            .arguments = "FILE...",
            .details = "Reads each file as tests do. Prints every fault, with line and place.",
            .exits = "0 every file is valid\n3 one is not",
            .example = "headroom budget validate budgets/*.json"};
  }
  void declare(CLI::App& options) override { options.add_option("FILE", files_, "budget files"); }
  exit_code run(const console& io) override {
    if (files_.empty()) throw usage_error("budget validate: no budget; name the files");
    exit_code code = exit_code::done;
    for (const std::string& file : files_) {
      try {
        static_cast<void>(read_budget(file));
        io.out << printable(file) << ": valid\n";
      } catch (const budget_error& fault) {
        io.out.flush();
        io.err << fault.what() << '\n';
        code = exit_code::invalid_input;
      }
    }
    return code;
  }

 private:
  std::vector<std::string> files_;
};

}  // namespace

std::unique_ptr<command> make_budget_show(const program& /*of*/) {
  return std::make_unique<budget_show_command>();
}
std::unique_ptr<command> make_budget_validate(const program& /*of*/) {
  return std::make_unique<budget_validate_command>();
}

}  // namespace headroom::cli
