// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/series_record.hpp>
#include <vector>

#include "program_levels.hpp"

namespace headroom::cli {

/// The innermost phase in which a process met its end, 0 for none.
[[nodiscard]] int failed_number(const run_facts& facts, const card_user& user);

/// How the run ended, in the series: errors in the phase they came in, what keeps the readings from
/// counting, what was never measured.
/// @param inner  the phase in which it failed, null where it failed in none
void settle_end(const run_facts& facts, const std::vector<card_user>& users, bool one_process,
                series_record& series, phase_record& whole, phase_record* inner);

}  // namespace headroom::cli
