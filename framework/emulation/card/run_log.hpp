// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/run_segment.hpp>
#include <string>

namespace headroom::emulation {

/// Appends a line to the log of the run. Nothing outside of one. Needs no lock. Where it cannot be
/// written (the program's limits on files), the run learns that a line is missing.
void tell_run(const std::string& line);
/// A line was lost that somebody else meant to write.
void lose_line();
/// Where it is counted that one was.
void lines_are_lost_to(run_segment* segment);
/// Of the run around this process: "SEGMENT" of HEADROOM_RUN_SEGMENT. "" outside of one.
[[nodiscard]] std::string run_variable_of(const std::string& what);

}  // namespace headroom::emulation
