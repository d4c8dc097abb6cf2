// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/cli/exit_code.hpp>
#include <headroom/cli/program.hpp>
#include <memory>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace headroom::cli {

/// What `headroom --help` and `headroom NAME --help` say of a command.
struct command_words {
  std::string_view name;       ///< one word, or two: "budget new"
  std::string_view purpose;    ///< one line
  std::string_view arguments;  ///< of the usage line, "TRACE|-"
  std::string_view details;    ///< paragraphs, one a line
  std::string_view exits;      ///< paragraphs, one a line
  std::string_view example;    ///< lines to type
  bool runs_series = false;    ///< it makes workloads
};

/// A command of the program, in a file of its own.
class command {
 public:
  virtual ~command() = default;
  [[nodiscard]] virtual command_words words() const = 0;
  /// Declares the options. @param options must outlive the command
  virtual void declare(CLI::App& options) = 0;
  /// Whether what stands behind "--" is another program's, to be taken as it is: brackets and
  /// braces mean something to whoever reads options.
  [[nodiscard]] virtual bool takes_rest() const { return false; }
  virtual void take_rest(std::span<const std::string> /*rest*/) {}
  /// @throws error: run() says it and ends with the exit code of its type
  virtual exit_code run(const console& io) = 0;
};

/// How a command is made; `headroom --help` lists them in this order.
/// The program must outlive the command.
using command_maker = std::unique_ptr<command> (*)(const program&);
[[nodiscard]] std::span<const command_maker> all_commands();

std::unique_ptr<command> make_boundary(const program& of);
std::unique_ptr<command> make_budget_new(const program& of);
std::unique_ptr<command> make_budget_show(const program& of);
std::unique_ptr<command> make_budget_validate(const program& of);
std::unique_ptr<command> make_check(const program& of);
std::unique_ptr<command> make_compare(const program& of);
std::unique_ptr<command> make_completion(const program& of);
std::unique_ptr<command> make_environment(const program& of);
std::unique_ptr<command> make_estimate(const program& of);
std::unique_ptr<command> make_estimate_kv_cache(const program& of);
std::unique_ptr<command> make_estimate_training(const program& of);
std::unique_ptr<command> make_man(const program& of);
std::unique_ptr<command> make_measure(const program& of);
std::unique_ptr<command> make_replay(const program& of);
std::unique_ptr<command> make_run(const program& of);
std::unique_ptr<command> make_summary(const program& of);
std::unique_ptr<command> make_sweep(const program& of);
std::unique_ptr<command> make_update(const program& of);

}  // namespace headroom::cli
