// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <headroom/core/json_document.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::detail {

/// How far the parser has read. A number is known only when the character behind it was taken.
struct json_cursor {
  std::string_view text;
  std::size_t taken = 0;
  int line = 1;         ///< of the next character
  int line_before = 1;  ///< of the last character taken
  bool saw_end = false;
  bool in_string = false;         ///< behind the last character taken
  bool escaped = false;           ///< the last character taken was a backslash that escapes
  bool in_string_before = false;  ///< before the last character taken

  void take();
  /// Offset behind the number that was just read.
  [[nodiscard]] std::size_t end_of_number() const;
  /// The number that was just read, as it is written.
  [[nodiscard]] std::string last_number() const;
};

/// What the parser says of the place where it stopped.
struct syntax_fault {
  std::string token;                     ///< what it read since the last text or number began
  bool out_of_range = false;             ///< a number too large for a double
  std::optional<std::string_view> rest;  ///< what follows, when a whole document stands before
  const json_node* container = nullptr;  ///< innermost open one, if any
};

/// What is wrong there and what to write.
[[nodiscard]] std::string explain_syntax(const json_cursor& cursor, const syntax_fault& fault);

/// Why a text is not worth parsing: too large, empty, not UTF-8, NUL bytes.
[[nodiscard]] std::optional<file_problem> find_bad_text(std::string_view text,
                                                        std::string_view file,
                                                        const json_limits& limits);

}  // namespace headroom::detail
