// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string_view>

namespace headroom {

/// Writes a file whole or not at all: temporary file, fsync, rename that replaces nothing.
/// @param advice what to do where it cannot be written; ends the message
/// @throws output_error when the file exists or cannot be written; nothing is left behind
void write_new_file(const std::filesystem::path& path, std::string_view text,
                    std::string_view advice = "name a file in a folder that can be written");

}  // namespace headroom
