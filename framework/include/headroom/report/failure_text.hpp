// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/core/budget.hpp>
#include <headroom/series/series_record.hpp>
#include <headroom/series/verdict.hpp>
#include <string>

namespace headroom {

/// Why a run is not green, for someone who never saw the project: what is over and by how much, in
/// which phase, how the limit is made up, who holds the bytes at the peak, where the raw data is,
/// what to do next. Fits on a screen, 80 columns. The only place that words a failure.
/// @param artifact where the raw data is; "" when there is none
[[nodiscard]] std::string failure_text(const series_record& series, const verdict& result,
                                       const budget& against,
                                       const std::filesystem::path& artifact);

}  // namespace headroom
