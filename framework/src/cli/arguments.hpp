// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <span>
#include <string>

#include "command.hpp"

namespace headroom::cli {

/// The option that every command has.
void add_help_option(CLI::App& options);

/// Reads a command's arguments into what it declared.
/// @return false when the help was asked for
/// @throws usage_error that names the argument, with the nearest known one
[[nodiscard]] bool read_arguments(CLI::App& options, std::span<const std::string> arguments);

}  // namespace headroom::cli
