// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/series/verdict.hpp>
#include <string>

namespace headroom {

/// The phase's reading of a device; null where there is none.
[[nodiscard]] const device_reading* reading_of(const phase_record& phase,
                                               const std::string& device);

/// What of the series is not what the budget is for; "" when it is.
[[nodiscard]] std::string mismatch(const series_record& series, const budget& against);

/// What does not decide, and must be known all the same.
void add_warnings(const series_record& series, const budget& against, verdict& result);

namespace detail {

/// What decides before any limit does. @return whether it did
bool settle_without_running(const series_record& series, verdict& result);
/// The outcome, once every limit has its ruling.
void settle(const series_record& series, const budget& against, verdict& result);

}  // namespace detail

}  // namespace headroom
