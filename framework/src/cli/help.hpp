// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>

#include "command.hpp"

namespace headroom::cli {

/// What `headroom NAME --help` prints, at most 80 columns wide.
/// @param options as the command declared them
[[nodiscard]] std::string command_help(const command_words& words, const CLI::App& options);

/// What `headroom --help` prints.
[[nodiscard]] std::string program_help();

/// What `headroom --version` prints.
[[nodiscard]] std::string version_line();

}  // namespace headroom::cli
