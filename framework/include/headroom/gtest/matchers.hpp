// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <gmock/gmock.h>

#include <headroom/gtest/measured_series.hpp>

namespace headroom {

/// Matches a measured_series that a budget finds within. Explains a mismatch as failure_text does.
class FitsBudget {
 public:
  using is_gtest_matcher = void;
  explicit FitsBudget(budget against) : against_(std::move(against)) {}
  bool MatchAndExplain(const measured_series& series, testing::MatchResultListener* out) const;
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;

 private:
  budget against_;
};

/// Matches a measured_series whose allocated and reserved levels do not grow by more than `growth`
/// from the first to the last warm repeat.
class ReachesSteadyState {
 public:
  using is_gtest_matcher = void;
  explicit ReachesSteadyState(bytes growth = {}) : growth_(growth) {}
  bool MatchAndExplain(const measured_series& series, testing::MatchResultListener* out) const;
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;

 private:
  bytes growth_;
};

/// Matches a measured_phase in which a counter is nowhere above a limit. What was not measured does
/// not match. Inclusive: equal matches.
class CounterAtMost {
 public:
  using is_gtest_matcher = void;
  CounterAtMost(counter_id counter, bytes at_most) : counter_(counter), at_most_(at_most) {}
  bool MatchAndExplain(const measured_phase& phase, testing::MatchResultListener* out) const;
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;

 private:
  counter_id counter_;
  bytes at_most_;
};

[[nodiscard]] inline CounterAtMost AllocatedPeakAtMost(bytes at_most) {
  return {counter_id::allocated_peak, at_most};
}
[[nodiscard]] inline CounterAtMost AllocatedCurrentAtMost(bytes at_most) {
  return {counter_id::allocated_current, at_most};
}
[[nodiscard]] inline CounterAtMost ReservedPeakAtMost(bytes at_most) {
  return {counter_id::reserved_peak, at_most};
}
[[nodiscard]] inline CounterAtMost ReservedCurrentAtMost(bytes at_most) {
  return {counter_id::reserved_current, at_most};
}

}  // namespace headroom
