// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::detail {

/// A line of a summary: the name, and behind it the value, wrapped below its own beginning.
[[nodiscard]] std::string field(std::string_view name, std::string_view value);

/// A number of bytes, null when absent.
[[nodiscard]] nlohmann::ordered_json to_json(const std::optional<bytes>& size);

}  // namespace headroom::detail
