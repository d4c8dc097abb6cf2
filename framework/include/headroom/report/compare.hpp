// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <filesystem>
#include <headroom/core/tag.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// The highest reading of each counter in one phase of two series, on one device.
struct phase_pair {
  std::string name;
  std::optional<std::string> parent;
  std::string device;     ///< as the head names it; "" where there is only one
  std::size_t place = 0;  ///< of the device among those of its series
  bool judged = false;    ///< ran whole in both, and is no warmup
  std::array<std::optional<bytes>, counter_count> base;
  std::array<std::optional<bytes>, counter_count> head;
};

/// A counter that changed by more than the tolerance: the phase in which it did so most.
struct counter_change {
  counter_id counter = counter_id::allocated_peak;
  std::string phase;
  std::string device;
  bytes base;
  bytes head;
  /// What each tag holds more, or less, at the two allocated peaks. Absent for other counters, and
  /// where the source knows no tags.
  std::optional<tag_table> by_tag;
};

enum class comparison_result { no_growth, grown, unknown, not_comparable, failed, skipped };
[[nodiscard]] std::string_view name_of(comparison_result result);

/// Two series beside each other.
struct comparison {
  comparison_result result = comparison_result::unknown;
  std::vector<std::string> reasons;  ///< why it is not no_growth or grown
  bytes tolerance;
  std::vector<phase_pair> phases;  ///< empty where the series are not comparable
  std::vector<counter_change> grown;
  std::vector<counter_change> fallen;
};

/// Counter by counter of the phases that both series ran; warmups are shown and not judged. Growth
/// is more than `tolerance`: equal is none. Pure.
[[nodiscard]] comparison compare(const stored_artifact& base, const stored_artifact& head,
                                 bytes tolerance);

/// An artifact with its place.
struct compared_artifact {
  const stored_artifact& stored;
  std::filesystem::path file;
};

/// For people, at most 80 columns wide.
[[nodiscard]] std::string comparison_text(const comparison& of, const compared_artifact& base,
                                          const compared_artifact& head);
/// One JSON document (`headroom-compare/1`).
[[nodiscard]] std::string comparison_json(const comparison& of, const compared_artifact& base,
                                          const compared_artifact& head);

}  // namespace headroom
