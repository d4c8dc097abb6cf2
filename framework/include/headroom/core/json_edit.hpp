// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

/// Where a value stands in a text: offsets of its first character and of the one behind it.
struct text_span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The value that a pointer names, as json_node::pointer() writes pointers. Absent when there is
/// none, and for keys that are written with escapes.
/// @param text  valid JSON
[[nodiscard]] std::optional<text_span> find_json_value(std::string_view text,
                                                       std::string_view pointer);

/// The text with an item at the end of an array of the root object; the array is made where there
/// is none. All else keeps its form.
/// @param text  valid JSON, an object
/// @param item  JSON, on one line
/// @throws usage_error when the member is there and is no array
[[nodiscard]] std::string with_json_item(std::string_view text, std::string_view member,
                                         std::string_view item);

}  // namespace headroom
