// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace headroom::cli {

/// One option or argument of a command.
struct option_words {
  std::string name;   ///< "-h, --help", or of an argument, "TRACE"
  std::string value;  ///< "N"; "" for a flag
  std::string what;
  bool positional = false;
};
/// Those that people are told of, as the command declared them.
[[nodiscard]] std::vector<option_words> options_of(const CLI::App& options);

/// What `headroom NAME --help` prints, at most 80 columns wide.
/// @param options as the command declared them
[[nodiscard]] std::string command_help(const program& of, const command_words& words,
                                       const CLI::App& options);

/// What the exit codes of all commands mean, a line each.
[[nodiscard]] std::string_view exit_code_words();

/// What `headroom --help` prints.
[[nodiscard]] std::string program_help(const program& of);

/// What `headroom budget --help` prints: the commands whose first word it is.
[[nodiscard]] std::string group_help(const program& of, std::string_view group);

/// The text with "headroom ", where a line or a command in backquotes begins with it, as the
/// program's own name.
[[nodiscard]] std::string with_program_name(const program& of, std::string_view text);

/// What `headroom --version` prints.
[[nodiscard]] std::string version_line(const program& of);

}  // namespace headroom::cli
