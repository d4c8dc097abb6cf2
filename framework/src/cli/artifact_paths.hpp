// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::cli {

/// Whether a file is named as a start record.
[[nodiscard]] bool is_start(const std::filesystem::path& file);

/// The artifacts and start records that the paths stand for, each once; a start record whose
/// artifact is there is left out. In the order of the paths; those of a folder and below by name.
/// @throws usage_error when there is none, or a path is not there
[[nodiscard]] std::vector<std::filesystem::path> artifact_paths(
    const std::vector<std::string>& paths);

}  // namespace headroom::cli
