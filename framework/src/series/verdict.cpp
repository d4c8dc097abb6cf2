// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <headroom/series/verdict.hpp>
#include <utility>

namespace headroom {
namespace {

struct outcome_entry {
  outcome value;
  std::string_view name;
  std::string_view words;
  int exit_code;
};
constexpr std::array outcomes{
    outcome_entry{outcome::within, "within", "within budget", 0},
    outcome_entry{outcome::exceeded, "exceeded", "budget exceeded", 1},
    outcome_entry{outcome::unknown, "unknown", "unknown", 6},
    outcome_entry{outcome::out_of_memory, "out_of_memory", "out of memory", 5},
    outcome_entry{outcome::failed, "failed", "failed", 5},
    outcome_entry{outcome::setup_error, "setup_error", "setup error", 6},
    outcome_entry{outcome::skipped, "skipped", "skipped", 2},
};
constexpr std::array rulings{
    std::pair{ruling::within, "within"}, std::pair{ruling::exceeded, "exceeded"},
    std::pair{ruling::unknown, "unknown"}, std::pair{ruling::waived, "waived"}};
constexpr std::array scopes{
    std::pair{limit_scope::passes, "passes"}, std::pair{limit_scope::cold, "cold"},
    std::pair{limit_scope::warm, "warm"},     std::pair{limit_scope::phase, "phase"},
    std::pair{limit_scope::growth, "growth"}, std::pair{limit_scope::headroom, "headroom"}};
constexpr std::array bounds{std::pair{bound::at_most, "at_most"},
                            std::pair{bound::at_least, "at_least"}};

template <class Table, class Value>
std::string_view name_in(const Table& table, Value value) {
  for (const auto& [known, name] : table) {
    if (known == value) return name;
  }
  return "";
}

template <class Value, class Table>
std::optional<Value> value_in(const Table& table, std::string_view name) {
  for (const auto& [value, known] : table) {
    if (known == name) return value;
  }
  return std::nullopt;
}

const outcome_entry& entry_of(outcome o) { return outcomes[static_cast<std::size_t>(o)]; }

}  // namespace

std::string_view name_of(outcome o) { return entry_of(o).name; }
std::string_view words_of(outcome o) { return entry_of(o).words; }
int exit_code_of(outcome o) { return entry_of(o).exit_code; }
std::optional<outcome> outcome_from_name(std::string_view name) {
  for (const outcome_entry& entry : outcomes) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

std::string_view name_of(ruling r) { return name_in(rulings, r); }
std::optional<ruling> ruling_from_name(std::string_view name) {
  return value_in<ruling>(rulings, name);
}
std::string_view name_of(limit_scope scope) { return name_in(scopes, scope); }
std::optional<limit_scope> scope_from_name(std::string_view name) {
  return value_in<limit_scope>(scopes, name);
}
std::string_view name_of(bound b) { return name_in(bounds, b); }
std::optional<bound> bound_from_name(std::string_view name) {
  return value_in<bound>(bounds, name);
}

std::optional<bytes> limit_verdict::excess() const {
  if (!limit || !measured) return std::nullopt;
  const bytes over = bound == headroom::bound::at_most ? *measured - *limit : *limit - *measured;
  if (over <= bytes{0}) return std::nullopt;
  return over;
}

bool ran_whole(const series_record& series) {
  const auto passed = [](const check& each) { return each.passed; };
  return !series.skipped && !series.setup_error && series.failed_phase() == nullptr &&
         std::all_of(series.checks.begin(), series.checks.end(), passed);
}

}  // namespace headroom
