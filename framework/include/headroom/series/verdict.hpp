// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/core/counters.hpp>
#include <headroom/series/phase_record.hpp>
#include <headroom/series/series_record.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// What became of a run; exactly one. Only `within` is green.
enum class outcome { within, exceeded, unknown, out_of_memory, failed, setup_error, skipped };
[[nodiscard]] std::string_view name_of(outcome o);
/// "within budget", "out of memory", ...
[[nodiscard]] std::string_view words_of(outcome o);
[[nodiscard]] std::optional<outcome> outcome_from_name(std::string_view name);
/// The exit code of a program whose run ended so.
[[nodiscard]] int exit_code_of(outcome o);

enum class ruling { within, exceeded, unknown, waived };
[[nodiscard]] std::string_view name_of(ruling r);
[[nodiscard]] std::optional<ruling> ruling_from_name(std::string_view name);

/// What a limit judges.
enum class limit_scope { passes, cold, warm, phase, growth, headroom };
[[nodiscard]] std::string_view name_of(limit_scope scope);
[[nodiscard]] std::optional<limit_scope> scope_from_name(std::string_view name);

enum class bound { at_most, at_least };
[[nodiscard]] std::string_view name_of(bound b);
[[nodiscard]] std::optional<bound> bound_from_name(std::string_view name);

/// One limit against the worst reading that it applies to.
struct limit_verdict {
  std::string device;
  counter_id counter = counter_id::allocated_peak;
  limit_scope scope = limit_scope::passes;
  headroom::bound bound = headroom::bound::at_most;
  std::string phase;  ///< of the judged reading
  pass_kind pass = pass_kind::setup;
  int repeat = 0;
  std::optional<bytes> limit;     ///< absent when waived
  std::optional<bytes> measured;  ///< absent when not measured
  ruling result = ruling::unknown;
  std::string reason;          ///< of a waiver, or why it is unknown
  bool from_envelope = false;  ///< the limit is the envelope
  int line = 0;                ///< of the limit in the budget file
  std::string pointer;         ///< of the limit in the budget file
  friend bool operator==(const limit_verdict&, const limit_verdict&) = default;

  /// How far the reading is on the wrong side of the limit; absent when it is not.
  [[nodiscard]] std::optional<bytes> excess() const;
};

/// The one object from which console line, exit code, artifact and report come.
struct verdict {
  headroom::outcome outcome = headroom::outcome::unknown;
  std::string reason;  ///< one sentence
  std::vector<limit_verdict> limits;
  std::vector<std::string> warnings;
};

/// Judges a series. Pure: no device, no file, no test framework. A limit is inclusive: equal
/// passes, one byte more fails. The judged value is the worst of all cold and warm passes.
[[nodiscard]] verdict judge(const series_record& series, const budget& against);

/// Of a series that no budget limits: `within`, since nothing was exceeded, unless it failed, was
/// not run or ran other dimensions than those asked for.
[[nodiscard]] verdict judge_without_budget(const series_record& series);

/// Whether it ran from the first phase to the last, and every check passed.
[[nodiscard]] bool ran_whole(const series_record& series);

}  // namespace headroom
