// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/core/counters.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headroom::kernels {

/// One row as it was measured. What was not measured is absent.
struct checkpointing_figures {
  std::string name;  ///< of the benchmark
  std::string policy;
  std::int64_t layers = 0;
  std::optional<double> milliseconds;                        ///< mean of a warm step
  std::optional<double> time_against_none;                   ///< 1.33: a third longer
  std::array<std::optional<bytes>, counter_count> counters;  ///< the worst of cold and warm
  std::optional<bytes> saved;  ///< of the allocated peak; negative where it is higher
  std::string failure;         ///< "" where there are figures
};

/// Fills in time_against_none, where the row of none for as many layers has a time.
void compare_times(std::vector<checkpointing_figures>& rows);

/// Whether another row of as many layers takes no more time and has no higher allocated peak, and
/// is better in one of them. Nothing for a row without both figures.
[[nodiscard]] std::optional<bool> dominated(const checkpointing_figures& row,
                                            const std::vector<checkpointing_figures>& all);

/// A table for each number of layers, in the order of the rows, 80 columns wide. Rows that are
/// dominated are marked; those that failed stand below with the reason.
[[nodiscard]] std::string checkpointing_table(const std::vector<checkpointing_figures>& rows);

}  // namespace headroom::kernels
