// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/series/peak_scopes.hpp>

namespace headroom {
namespace {

/// Can only reset, as a driver's pool does.
class resetting_source : public counter_source {
 public:
  void hold(bytes level) {
    level_ = level;
    if (peak_ < level) {
      peak_ = level;
      at_peak_[tag::activations] = level;
    }
  }
  void lose_peaks() { peaks_readable_ = false; }

  [[nodiscard]] source_description describe_counters() const override { return {}; }
  [[nodiscard]] source_reading read() const override {
    source_reading now;
    now[counter_id::allocated_current] = level_;
    if (!peaks_readable_) return now;
    now[counter_id::allocated_peak] = peak_;
    now[counter_id::reserved_peak] = peak_ * 2;
    now.requested_peak = peak_;
    now.at_allocated_peak = peak_moment{peak_, peak_ * 2, at_peak_};
    return now;
  }
  void reset_peaks() override {
    peak_ = level_;
    at_peak_[tag::activations] = level_;
  }

 private:
  bytes level_;
  bytes peak_;
  tag_table at_peak_;
  bool peaks_readable_ = true;
};

TEST(PeakScopes, APeakStartsAtWhatIsLive) {
  resetting_source source;
  source.hold(9_MiB);
  source.hold(5_MiB);
  peak_scopes scopes(source);
  scopes.open();
  EXPECT_EQ(scopes.close()[counter_id::allocated_peak], 5_MiB);
}

TEST(PeakScopes, AnInnerResetLosesNothingOfTheOuterPeak) {
  resetting_source source;
  peak_scopes scopes(source);
  scopes.open();
  source.hold(10_MiB);  // before the inner scope
  source.hold(1_MiB);
  scopes.open();
  source.hold(3_MiB);
  source.hold(2_MiB);
  const source_reading inner = scopes.close();
  EXPECT_EQ(inner[counter_id::allocated_peak], 3_MiB);
  const source_reading outer = scopes.close();
  EXPECT_EQ(outer[counter_id::allocated_peak], 10_MiB);
  EXPECT_EQ(outer[counter_id::reserved_peak], 20_MiB);
  EXPECT_EQ(outer.requested_peak, 10_MiB);
  EXPECT_EQ(outer[counter_id::allocated_current], 2_MiB);
  EXPECT_EQ(outer.at_allocated_peak->by_tag->total(), 10_MiB);
}

TEST(PeakScopes, AnInnerPeakIsTheOuterPeakToo) {
  resetting_source source;
  peak_scopes scopes(source);
  scopes.open();
  for (const bytes level : {4_MiB, 8_MiB, 6_MiB}) {
    scopes.open();
    source.hold(level);
    source.hold(1_MiB);
    scopes.close();
  }
  const source_reading outer = scopes.close();
  EXPECT_EQ(outer[counter_id::allocated_peak], 8_MiB);
  EXPECT_EQ(outer.at_allocated_peak->allocated, 8_MiB);
}

TEST(PeakScopes, APeakAfterTheInnerScopeCounts) {
  resetting_source source;
  peak_scopes scopes(source);
  scopes.open();
  scopes.open();
  source.hold(2_MiB);
  scopes.close();
  source.hold(7_MiB);
  source.hold(0_MiB);
  EXPECT_EQ(scopes.close()[counter_id::allocated_peak], 7_MiB);
}

TEST(PeakScopes, WhatWasNotReadOnceIsNotKnownForTheWhole) {
  resetting_source source;
  peak_scopes scopes(source);
  scopes.open();
  source.hold(4_MiB);
  source.lose_peaks();
  scopes.open();
  scopes.close();
  const source_reading outer = scopes.close();
  EXPECT_EQ(outer[counter_id::allocated_peak], std::nullopt);
  EXPECT_EQ(outer[counter_id::allocated_current], 4_MiB);
  EXPECT_FALSE(outer.at_allocated_peak);
}

TEST(PeakScopes, ClosingWithoutAScopeIsAnError) {
  resetting_source source;
  EXPECT_THROW(peak_scopes(source).close(), usage_error);
}

}  // namespace
}  // namespace headroom
