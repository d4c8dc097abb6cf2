// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/core/budget.hpp>
#include <headroom/series/series_record.hpp>
#include <headroom/series/verdict.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// The highest reading of each counter over all occurrences of one phase on one device. Absent
/// where one of them was not measured.
struct phase_peaks {
  std::string name;
  std::optional<std::string> parent;
  std::string device;
  int times = 0;
  bool failed = false;   ///< one of them failed: its readings are partial
  bool not_run = false;  ///< one of them did not run
  std::array<std::optional<bytes>, counter_count> highest;
  /// Used memory of the device that the allocator does not hold, highest of all ends; other
  /// processes included. Of cuda devices alone.
  std::optional<bytes> outside;
};
/// In the order in which the phases began.
[[nodiscard]] std::vector<phase_peaks> peaks_by_phase(const series_record& series);

/// The highest reading of each counter over the cold and warm passes of a series, and of all
/// devices. Absent where one was not measured, or did not run.
[[nodiscard]] std::array<std::optional<bytes>, counter_count> judged_peaks(
    const series_record& series);

/// "12.00 MiB", or "not measured"
[[nodiscard]] std::string size_words(const std::optional<bytes>& size);

/// One series for people, at most 80 columns wide: what ran, the counters of each phase, and what
/// the budget says of it.
/// @param against  the budget that the verdict came from, or null
[[nodiscard]] std::string series_text(const series_record& series, const verdict& result,
                                      const budget* against, const std::filesystem::path& artifact);

/// The same as one JSON document (`headroom-measure/1`).
[[nodiscard]] std::string series_json(const series_record& series, const verdict& result,
                                      const budget* against, const std::filesystem::path& artifact);

}  // namespace headroom
