// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/calibration_record.hpp>
#include <string>

#include "program_run.hpp"

namespace headroom::cli {

/// The figures of the same program on an emulated card and on another: each counter's highest value
/// in each phase, and what a process's context takes.
[[nodiscard]] calibration_record calibrate(const program_run& predicted,
                                           const program_run& measured);

/// For people: the figures that differ, and how many do not.
[[nodiscard]] std::string calibration_text(const calibration_record& record);

}  // namespace headroom::cli
