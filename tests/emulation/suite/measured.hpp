// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <headroom/series/series_record.hpp>
#include <headroom/series/workload.hpp>
#include <memory>
#include <string>

#include "cases.hpp"
#include "recorded_device.hpp"

namespace headroom::test {

/// One series, on as many devices as its workload runs on.
struct measured {
  series_record series;
  std::vector<kept_block> kept;
};

using workload_maker = std::function<std::unique_ptr<workload>()>;

/// @param device_text  "cpu", "plan:24GB", "cuda:0": the first, and those behind it
[[nodiscard]] measured measure(const workload_maker& make, const protocol& passes,
                               const std::string& device_text, keep when);
[[nodiscard]] measured measure(const suite_case& what, const std::string& device_text,
                               keep when = keep::nothing);

/// Adds a failure for every reading of a phase that differs: the four counters, what was requested,
/// who held the bytes at the peak.
void expect_equal_counters(const series_record& expected, const series_record& found);

/// @return what differs, a line each, the first few; "" where all agrees
[[nodiscard]] std::string difference(const std::vector<kept_block>& expected,
                                     const std::vector<kept_block>& found,
                                     const tolerance& allowed);

}  // namespace headroom::test
