// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <string_view>

namespace headroom {

/// Text as an XML element or attribute holds it: markup, quotes and line ends as entities.
/// @param text  printable: what XML cannot hold (control characters, bytes that are not UTF-8) has
/// been written as escapes before
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace headroom
