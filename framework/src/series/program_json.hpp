// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/calibration_record.hpp>
#include <headroom/series/program_record.hpp>
#include <nlohmann/json.hpp>

namespace headroom::detail {

/// The member "program" of an artifact.
[[nodiscard]] nlohmann::ordered_json program_json(const program_record& program);
/// The member "calibration".
[[nodiscard]] nlohmann::ordered_json calibration_json(const calibration_record& record);

}  // namespace headroom::detail
