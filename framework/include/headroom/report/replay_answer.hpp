// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <headroom/report/capacity_search.hpp>
#include <headroom/report/replay_report.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// A trace under one plan.
struct replay_trial {
  replay_plan plan;
  replay_report replayed;
  std::optional<capacity_search> search;  ///< absent when it was not asked for
};

/// What `headroom replay` answers.
struct replay_answer {
  std::string trace;  ///< its name
  replay_trial asked;
  std::vector<replay_trial> others;  ///< the same device under other settings
};

/// Opens the trace at its begin, once for each replay.
using trace_opener = std::function<trace_reader()>;

/// Segments come in multiples of this, so capacities between two multiples are all the same.
inline constexpr bytes capacity_step = 2_MiB;
/// No search goes beyond.
inline constexpr bytes largest_capacity = 1024_TiB;

/// Replays the trace at one capacity after another, under the plan's settings.
/// @param replayed  what replay_trace gave for the plan
/// @param tries     called with each capacity before it is tried
/// @throws trace_error
[[nodiscard]] capacity_search search_capacity(const trace_opener& open, const replay_plan& plan,
                                              const replay_report& replayed,
                                              const std::function<void(bytes)>& tries = {});

/// For people, at most 80 columns wide.
[[nodiscard]] std::string replay_text(const replay_answer& answer);

/// One JSON document (`headroom-replay/1`).
[[nodiscard]] std::string replay_json(const replay_answer& answer);

}  // namespace headroom
