// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <gtest/gtest.h>

#include <headroom/series/series_record.hpp>

namespace headroom::kernels::test {

/// Every phase of both ended well, with the same four counters, requested peak and tags at the
/// peak.
inline void expect_same_readings(const series_record& a, const series_record& b) {
  ASSERT_EQ(a.phases.size(), b.phases.size());
  for (std::size_t i = 0; i < a.phases.size(); ++i) {
    SCOPED_TRACE(a.phases[i].name + " " + std::to_string(a.phases[i].repeat));
    EXPECT_EQ(a.phases[i].name, b.phases[i].name);
    ASSERT_EQ(a.phases[i].status, phase_status::ok);
    ASSERT_EQ(b.phases[i].status, phase_status::ok);
    const source_reading& at_a = a.phases[i].readings.at(0).end;
    const source_reading& at_b = b.phases[i].readings.at(0).end;
    for (const counter_id counter : all_counters) {
      SCOPED_TRACE(name_of(counter));
      ASSERT_TRUE(at_a[counter] && at_b[counter]);
      EXPECT_EQ(*at_a[counter], *at_b[counter]);
    }
    EXPECT_EQ(at_a.requested_peak, at_b.requested_peak);
    ASSERT_TRUE(at_a.at_allocated_peak && at_b.at_allocated_peak);
    EXPECT_EQ(at_a.at_allocated_peak->by_tag, at_b.at_allocated_peak->by_tag);
  }
}

}  // namespace headroom::kernels::test
