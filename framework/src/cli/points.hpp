// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/series/artifact_reader.hpp>
#include <optional>
#include <string>

#include "fresh_process.hpp"
#include "measuring.hpp"

namespace headroom::cli {

/// One series that ran in a fresh process.
struct fresh_point {
  std::filesystem::path artifact;
  std::optional<stored_artifact> stored;  ///< absent when none was written
  exit_code code = exit_code::done;       ///< what `measure` ended with
  std::string message;                    ///< why there is no artifact
  bool kept = false;                      ///< the artifact was there before
  bool interrupted = false;
};

/// Runs the request in a fresh process. An artifact that is there is kept and not run again; a
/// start record without its artifact is that of a run that was stopped, and goes.
/// @throws output_error when the artifact that is there is of another series
/// @throws artifact_error when it cannot be read
[[nodiscard]] fresh_point run_point(const console& io, const measure_request& request,
                                    const std::filesystem::path& artifact);

/// The worst of two ends, by the order 3, 4, 2, 5, 6, 1, 0.
[[nodiscard]] exit_code worse(exit_code a, exit_code b);

}  // namespace headroom::cli
