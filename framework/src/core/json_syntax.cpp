// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "json_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>

#include "characters.hpp"

namespace headroom::detail {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool in_number(char c) {
  return is_digit(c) || std::string_view("+-.eE").find(c) != std::string_view::npos;
}

/// The word of which the last character taken is a part, "" when that is no letter.
std::string_view word_at(const json_cursor& cursor) {
  std::size_t begin = cursor.taken;
  while (begin > 0 && is_letter(cursor.text[begin - 1])) --begin;
  if (begin == cursor.taken) return {};
  std::size_t end = cursor.taken;
  while (end < cursor.text.size() && is_letter(cursor.text[end])) ++end;
  return cursor.text.substr(begin, end - begin);
}

/// The last character before the last one taken that is not a space; NUL when there is none.
char before(const json_cursor& cursor) {
  std::size_t i = cursor.taken - 1;
  while (i > 0 && is_space(cursor.text[i - 1])) --i;
  return i == 0 ? '\0' : cursor.text[i - 1];
}

std::string explain_word(std::string_view word) {
  const std::string known = lower(word);
  if (known == "nan" || known == "inf" || known == "infinity") {
    return fmt::format("{} is not JSON; write a finite value", quoted_text(word));
  }
  if (known == "true" || known == "false" || known == "null") {
    return fmt::format("{} is not JSON; write {}", quoted_text(word), known);
  }
  if (known == "none") return fmt::format("{} is not JSON; write null", quoted_text(word));
  return fmt::format("{} without quotes; write {}", quoted_text(word),
                     quoted_text('"' + std::string(word) + '"'));
}

std::string explain_string(const json_cursor& cursor) {
  if (static_cast<unsigned char>(cursor.text[cursor.taken - 1]) < 0x20) {
    return cursor.text[cursor.taken - 1] == '\n' || cursor.text[cursor.taken - 1] == '\r'
               ? "a text does not end in its line; close it with a quote"
               : "a control character inside a text; write it as an escape, \\t for a tab";
  }
  return "an escape that JSON does not have; write \\\\ for a backslash, \\u and four digits for a "
         "character";
}

/// Half a character above U+FFFF in front of the closing quote: the parser stops behind the quote.
bool ends_in_surrogate(const json_cursor& cursor) {
  constexpr std::size_t length = std::string_view("\\ud800\"").size();
  if (!cursor.in_string_before || cursor.taken < length) return false;
  const std::string end = lower(cursor.text.substr(cursor.taken - length, length));
  return end.starts_with("\\ud") && std::string_view("89ab").find(end[3]) != std::string_view::npos;
}

/// What the parser did not expect: a text, a number or one character.
std::string last_token(const json_cursor& cursor, const syntax_fault& fault) {
  const bool number =
      !fault.token.empty() && std::all_of(fault.token.begin(), fault.token.end(), in_number);
  if (number || cursor.in_string_before) return fault.token;
  return std::string(1, cursor.text[cursor.taken - 1]);
}

std::string name_of_container(const syntax_fault& fault) {
  if (fault.container == nullptr) return "the document";
  return fmt::format("the {} that begins in line {}",
                     fault.container->kind == json_kind::object ? "object" : "array",
                     fault.container->line);
}

std::string explain_character(const json_cursor& cursor, const syntax_fault& fault) {
  const char last = cursor.text[cursor.taken - 1];
  if (last == '}' || last == ']') {
    if (before(cursor) == ',') return fmt::format("a comma before \"{}\"; remove the comma", last);
    if (before(cursor) == ':') return fmt::format("no value before \"{}\"; write one", last);
  }
  if (last == '\'') return "a single quote; write double quotes";
  if (last == '/' || last == '*' || last == '#') return "JSON has no comments; remove it";
  if (last == '+') return "a plus sign; write the number without it";
  return fmt::format("unexpected {} in {}; look for a missing comma, colon, quote or bracket",
                     quoted_text(last_token(cursor, fault)), name_of_container(fault));
}

}  // namespace

void json_cursor::take() {
  const char c = text[taken++];
  line_before = line;
  if (c == '\n') ++line;
  in_string_before = in_string;
  if (escaped) {
    escaped = false;
  } else if (c == '"') {
    in_string = !in_string;
  } else if (c == '\\') {
    escaped = in_string;
  }
}

std::size_t json_cursor::end_of_number() const {
  return is_digit(text[taken - 1]) ? taken : taken - 1;
}

std::string json_cursor::last_number() const {
  const std::size_t end = end_of_number();
  std::size_t begin = end;
  while (begin > 0 && in_number(text[begin - 1])) --begin;
  return std::string(text.substr(begin, end - begin));
}

std::string explain_syntax(const json_cursor& cursor, const syntax_fault& fault) {
  if (fault.out_of_range) {
    return fmt::format("number {} is out of range; write a smaller one", quoted_text(fault.token));
  }
  if (fault.rest) {
    return fmt::format("text behind the end of the document, from {}; remove it",
                       quoted_text(*fault.rest));
  }
  if (cursor.saw_end) {
    return fmt::format("the file ends inside {}; is it cut off?", name_of_container(fault));
  }
  if (cursor.in_string || ends_in_surrogate(cursor)) return explain_string(cursor);
  if (const std::string_view word = word_at(cursor); !word.empty()) return explain_word(word);
  return explain_character(cursor, fault);
}

std::optional<file_problem> find_bad_text(std::string_view text, std::string_view file,
                                          const json_limits& limits) {
  const auto problem = [&](int line, std::string message) {
    return file_problem{std::string(file), line, "", std::move(message)};
  };
  if (text.size() > limits.bytes) {
    return problem(0, fmt::format("the text has more than {}; is it the right file?",
                                  format_exact(bytes{static_cast<std::int64_t>(limits.bytes)})));
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return problem(1, "the file is UTF-16; save it as UTF-8");
  }
  int line = 1;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    if (length == 0) {
      return problem(line,
                     fmt::format("byte 0x{:02x} at offset {} is not UTF-8; save the file as "
                                 "UTF-8",
                                 static_cast<unsigned char>(rest[0]), text.size() - rest.size()));
    }
    if (rest[0] == '\0') {
      return problem(line, fmt::format("a NUL byte at offset {}; save the file as text in UTF-8",
                                       text.size() - rest.size()));
    }
    if (rest[0] == '\n') ++line;
    rest.remove_prefix(length);
  }
  if (std::all_of(text.begin(), text.end(), is_space)) {
    return problem(0, "the file is empty; write one JSON object");
  }
  return std::nullopt;
}

}  // namespace headroom::detail
