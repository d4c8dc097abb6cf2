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

/// What was written of a run.
struct written_artifacts {
  std::vector<std::filesystem::path> processes;  ///< where there are several: NAME.process-N.json
  std::string fault;                             ///< the first; "" when all was written
};

/// Refuses a path beside which an earlier run's NAME.process-N.json lie: before the program starts.
/// @throws output_error
void refuse_earlier_processes(const std::filesystem::path& path);

/// Writes the artifacts of a run. One that cannot be written does not keep back the others.
written_artifacts write_artifacts(const program_run& run, artifact_file& artifact);

}  // namespace headroom::cli
