// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headroom {

/// The text in double quotes, safe to print in a message: quotes and backslashes are escaped as in
/// JSON, control characters, bytes that are not UTF-8 and characters that change the direction or
/// the place of what follows are shown as escapes. A text of more than `most` characters is cut,
/// with its length behind it: "aaaa..." (1024 bytes).
[[nodiscard]] std::string quoted_text(std::string_view text, std::size_t most = 60);

/// Length in bytes of the UTF-8 character at the start of `text`, 0 when there is none: at the end,
/// or for bytes that are not UTF-8 (overlong forms, surrogates and values above U+10FFFF included).
[[nodiscard]] std::size_t utf8_length(std::string_view text);

}  // namespace headroom
