// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <headroom/core/budget.hpp>
#include <string>
#include <string_view>

namespace headroom {

inline constexpr std::string_view budget_schema_id = "headroom-budget/1";

/// Reads a budget file. Unknown keys, duplicate keys and trailing text are errors: a typing mistake
/// must never loosen a gate. @throws budget_error with every fault of the file, not only the first
[[nodiscard]] budget read_budget(const std::filesystem::path& file);

/// As read_budget, from text. @param name stands for the file in messages
[[nodiscard]] budget parse_budget(std::string_view text, std::string_view name);

}  // namespace headroom
