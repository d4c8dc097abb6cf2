// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <string_view>

namespace headroom::emulation {

/// A text as JSON, on one line. Bytes that are no UTF-8 become replacement characters.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace headroom::emulation
