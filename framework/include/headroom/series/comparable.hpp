// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/series_record.hpp>
#include <string>
#include <vector>

namespace headroom {

/// Why the counters of two series say nothing about each other: another load, another allocator, a
/// prediction beside a measurement, a bound beside an exact peak. Each reason is a sentence that
/// names both sides. Empty when the two can be compared. The revision of the workload and of the
/// tool may differ: what they changed is what a comparison is for.
[[nodiscard]] std::vector<std::string> why_not_comparable(const series_record& base,
                                                          const series_record& head);

}  // namespace headroom
