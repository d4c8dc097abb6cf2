// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/core/budget.hpp>
#include <string>
#include <string_view>

namespace headroom {

inline constexpr std::string_view budget_schema_id = "headroom-budget/1";

/// Reads a budget file (budgets/schema/headroom-budget-1.schema.json has its members). May be left
/// out: description; protocol and its members (then 3 warmups, 5 repeats); phase_limits;
/// steady_state (then a growth of 0 B is allowed); configurations; devices; history; the workload's
/// options. A limit has an upper bound or is waived with a reason. Unknown keys, duplicate keys and
/// trailing text are errors: a typing mistake must never loosen a gate. @throws budget_error with
/// every fault of the file, not only the first
[[nodiscard]] budget read_budget(const std::filesystem::path& file);

/// As read_budget, from text. @param name stands for the file in messages
[[nodiscard]] budget parse_budget(std::string_view text, std::string_view name);

}  // namespace headroom
