// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <vector>

#include "points.hpp"

namespace headroom::cli {

/// N series, each in a fresh process, in place of N repeats.
struct process_series {
  measure_request request;
  std::vector<fresh_point> points;
  exit_code worst = exit_code::done;
};

/// @param path  of the artifacts: NAME.json gives NAME.1.json, NAME.2.json ...; where it is empty,
/// a name in the artifact folder. @throws output_error when one exists
[[nodiscard]] process_series run_in_processes(const console& io, const measure_request& request,
                                              const std::filesystem::path& path);

/// For people: a row a process, and the spread between processes.
[[nodiscard]] std::string processes_text(const process_series& all);
/// One JSON document (`headroom-processes/1`).
[[nodiscard]] std::string processes_json(const process_series& all);

}  // namespace headroom::cli
