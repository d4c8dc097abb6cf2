// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <filesystem>
#include <headroom/core/counters.hpp>
#include <headroom/device/device.hpp>
#include <headroom/series/series_record.hpp>
#include <headroom/series/verdict.hpp>
#include <headroom/series/workload.hpp>
#include <optional>
#include <string>

namespace headroom {

struct memory_pass_options {
  headroom::protocol protocol{1, 2};      ///< warmup, warm repeats
  std::string name;                       ///< of the benchmark; the artifact is named after it
  std::filesystem::path artifact_folder;  ///< is made where it is not there
};

/// The four counters at the ends of whole passes: the highest value. Absent when one is missing.
using pass_counters = std::array<std::optional<bytes>, counter_count>;

/// The memory of a workload, measured in passes of their own before any time is.
struct memory_passes {
  series_record series;
  verdict result;                  ///< of judge_without_budget
  std::filesystem::path artifact;  ///< of the series, with exact bytes
  pass_counters cold;              ///< of the cold pass
  pass_counters warm;              ///< of the warm repeats

  /// The higher of cold and warm, which a budget would judge. Absent when one of them is.
  [[nodiscard]] std::optional<bytes> worst(counter_id counter) const;
  /// Why there are no figures; "" when all passes ran and all checks of results passed.
  [[nodiscard]] std::string failure() const;
};

/// Runs cold pass, warmup and warm repeats, and writes the artifact, whatever becomes of them.
/// What the workload throws is part of the result.
/// @throws output_error when the artifact cannot be written; usage_error for a protocol without
/// repeats
[[nodiscard]] memory_passes run_memory_passes(device& on, workload& work,
                                              const memory_pass_options& options);

/// Adds the counters of both passes by their names: cold_allocated_peak, warm_reserved_current and
/// so on, in bytes. What was not measured is left out. @param from  without a failure
void add_counters(::benchmark::UserCounters& to, const memory_passes& from);

/// Bytes as a benchmark's counter, shown in powers of 1024; exact up to 2^53 B.
[[nodiscard]] ::benchmark::Counter byte_counter(bytes size);

/// HEADROOM_ARTIFACT_DIR, or "headroom-artifacts".
[[nodiscard]] std::filesystem::path default_artifact_folder();

}  // namespace headroom
