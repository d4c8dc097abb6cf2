// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headroom::emulation {

/// A text as JSON, on one line. Bytes that are no UTF-8 become replacement characters.
[[nodiscard]] std::string json_string(std::string_view text);
/// A further member of an object: a comma, its name and its value.
[[nodiscard]] std::string json_member(const char* name, std::int64_t value);

}  // namespace headroom::emulation
