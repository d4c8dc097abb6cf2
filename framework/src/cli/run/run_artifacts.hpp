// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/series/artifact.hpp>
#include <string>
#include <vector>

#include "program_run.hpp"

namespace headroom::cli {

/// A file's name without ".json".
[[nodiscard]] std::string stem_of(const std::filesystem::path& path);

/// Writes the artifacts of a run. @return those of each process, where there are several:
/// NAME.process-N.json
std::vector<std::filesystem::path> write_artifacts(const program_run& run, artifact_file& artifact);

}  // namespace headroom::cli
