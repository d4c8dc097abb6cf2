// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>

namespace headroom::cli {

/// The file that a command starts, searched for as a shell does.
/// @throws usage_error when there is none, or when libraries cannot be put under it: what it is
/// (32 bits, musl, linked statically, with another user's rights), and what to do
[[nodiscard]] std::filesystem::path find_program(const std::string& command);

/// The emulation's folder of libraries: HEADROOM_EMULATION_FOLDER, else beside the program.
/// @param executable  of this program
/// @throws usage_error when there is none
[[nodiscard]] std::filesystem::path emulation_folder(const std::string& executable);

}  // namespace headroom::cli
