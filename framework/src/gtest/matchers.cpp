// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <headroom/core/size_text.hpp>
#include <headroom/gtest/matchers.hpp>
#include <headroom/report/failure_text.hpp>
#include <ostream>

namespace headroom {
namespace {

bool is_within(const measured_series& series, const budget& against,
               testing::MatchResultListener* out) {
  const verdict result = judge(series.record(), against);
  if (result.outcome == outcome::within) return true;
  *out << "\n" << failure_text(series.record(), result, against, series.artifact());
  return false;
}

}  // namespace

bool FitsBudget::MatchAndExplain(const measured_series& series,
                                 testing::MatchResultListener* out) const {
  return is_within(series, against_, out);
}
void FitsBudget::DescribeTo(std::ostream* out) const {
  *out << "fits the budget \"" << against_.name << "\"";
}
void FitsBudget::DescribeNegationTo(std::ostream* out) const {
  *out << "does not fit the budget \"" << against_.name << "\"";
}

bool ReachesSteadyState::MatchAndExplain(const measured_series& series,
                                         testing::MatchResultListener* out) const {
  budget against = series.against();
  against.limits = against.cold_limits = against.warm_limits = {};
  against.per_phase.clear();
  against.per_device.clear();
  against.configurations.clear();
  against.steady_state_growth = growth_;
  return is_within(series, against, out);
}
void ReachesSteadyState::DescribeTo(std::ostream* out) const {
  *out << "grows by at most " << format_exact(growth_) << " from the first to the last warm repeat";
}
void ReachesSteadyState::DescribeNegationTo(std::ostream* out) const {
  *out << "grows by more than " << format_exact(growth_)
       << " from the first to the last warm repeat";
}

bool CounterAtMost::MatchAndExplain(const measured_phase& phase,
                                    testing::MatchResultListener* out) const {
  if (phase.occurrences().empty()) {
    *out << "the series has no phase \"" << phase.name() << "\"";
    return false;
  }
  const std::optional<bytes> value = phase.highest(counter_);
  if (!value) {
    *out << words_of(counter_) << " of " << phase.name() << " was not measured";
    return false;
  }
  if (*value <= at_most_) return true;
  *out << words_of(counter_) << " is over by " << format_exact(*value - at_most_);
  return false;
}
void CounterAtMost::DescribeTo(std::ostream* out) const {
  *out << "has " << words_of(counter_) << " at most " << format_exact(at_most_);
}
void CounterAtMost::DescribeNegationTo(std::ostream* out) const {
  *out << "has " << words_of(counter_) << " above " << format_exact(at_most_);
}

}  // namespace headroom
