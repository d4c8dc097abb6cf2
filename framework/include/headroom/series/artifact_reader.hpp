// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/core/budget.hpp>
#include <headroom/series/series_record.hpp>
#include <headroom/series/verdict.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// What an artifact keeps of the budget that its series was judged by.
struct stored_budget {
  std::string name;
  std::string file;    ///< path as it was then
  std::string sha256;  ///< of the file's text as it was then
  std::vector<weight_group> weights;
  std::vector<reserve_item> reserve;
  bytes envelope;
  basis envelope_basis = basis::computed;
};

/// An artifact as a value.
struct stored_artifact {
  series_record series;
  verdict result;                        ///< as it was judged then
  std::optional<stored_budget> against;  ///< absent when the series had no budget
};

/// Reads an artifact, and refuses one that is not whole or contradicts itself: NaN, doubled or
/// unknown keys, fractions where bytes belong, a prediction that calls itself a measurement, a pass
/// over a limit that was exceeded.
/// @throws artifact_error with every fault of the file, one a line
[[nodiscard]] stored_artifact read_artifact(const std::filesystem::path& file);

/// As read_artifact, from text. @param name stands for the file in messages
[[nodiscard]] stored_artifact parse_artifact(std::string_view text, std::string_view name);

}  // namespace headroom
