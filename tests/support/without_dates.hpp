// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headroom::test {

/// How many characters from `begin` on are among `these`.
inline std::size_t run_length(std::string_view text, std::size_t begin, std::string_view these) {
  const std::size_t end = text.find_first_not_of(these, begin);
  return (end == std::string_view::npos ? text.size() : end) - begin;
}

/// The length of a time like 2026-11-29T17:44:20Z at `begin`; 0 where there is none.
inline std::size_t time_length(std::string_view text, std::size_t begin) {
  if (text.substr(begin, 2) != "20") return 0;
  const std::size_t date = run_length(text, begin, "0123456789-");
  if (text.substr(begin + date, 1) != "T") return 0;
  const std::size_t clock = run_length(text, begin + date + 1, "0123456789:");
  return clock > 0 && text.substr(begin + date + 1 + clock, 1) == "Z" ? date + clock + 2 : 0;
}

/// The text with DATE for times and HASH for sums of 64 hexadecimal digits: what two runs of one
/// command have in common.
inline std::string without_dates(std::string_view text) {
  constexpr std::size_t digits = 64;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t time = time_length(text, at); time > 0) {
      result += "DATE";
      at += time;
    } else if (run_length(text, at, "0123456789abcdef") >= digits) {
      result += "HASH";
      at += digits;
    } else {
      result += text[at++];
    }
  }
  return result;
}

}  // namespace headroom::test
