// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/series/artifact_reader.hpp>
#include <headroom/series/start_record.hpp>
#include <headroom/series/verdict.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// How far a reading is on the right side of its limit; negative when it is over. Absent when one
/// of them is, and where the verdict is unknown: the reading is then not all that is needed.
[[nodiscard]] std::optional<bytes> headroom_of(const limit_verdict& judged);

/// The verdicts that a summary shows: those on whole passes, and of the others (one phase, growth,
/// the device's headroom) those that are not within.
[[nodiscard]] std::vector<limit_verdict> summarized_limits(const verdict& result);

/// What one artifact says, in a few lines of at most 80 columns: budget, test, device and whether
/// it is a prediction, outcome, and a row for each summarized limit.
/// @param file where it was read from; shown when the outcome is not green
[[nodiscard]] std::string artifact_summary(const stored_artifact& artifact,
                                           const std::filesystem::path& file);

/// The same of a series that began and left no artifact.
[[nodiscard]] std::string start_summary(const start_record& started,
                                        const std::filesystem::path& file);

}  // namespace headroom
