// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "plain_event.hpp"

#include <cstdint>
#include <optional>

namespace headroom {
namespace {

/// Takes " NUMBER" of at most 18 digits.
template <typename Number>
bool take_plain_number(const char*& at, Number& value) {
  if (*at != ' ') return false;
  const char* const first = ++at;
  std::uint64_t sum = 0;
  for (; *at >= '0' && *at <= '9' && at - first < 19; ++at) {
    sum = sum * 10 + static_cast<std::uint64_t>(*at - '0');
  }
  value = static_cast<Number>(sum);
  return at != first && at - first < 19 && static_cast<std::uint64_t>(value) == sum;
}

/// Takes " TAG", or nothing.
bool take_plain_tag(const char*& at, tag& what) {
  if (*at != ' ') return true;
  const char* const first = ++at;
  while (*at >= '_' && *at <= 'z' && at - first < 16) ++at;
  const std::optional<tag> found = tag_from_name({first, static_cast<std::size_t>(at - first)});
  if (found) what = *found;
  return found.has_value();
}

}  // namespace

std::size_t read_plain_event(const char* line, trace_event& event) {
  const char* at = line + 1;
  bool plain = false;
  switch (line[0]) {
    case 'a':
      plain = take_plain_number(at, event.id) && take_plain_number(at, event.stream.n) &&
              take_plain_number(at, event.size.n) && take_plain_tag(at, event.what);
      break;
    case 'f':
      plain = take_plain_number(at, event.id);
      break;
    case 'u':
      plain = take_plain_number(at, event.id) && take_plain_number(at, event.stream.n);
      break;
    case 's':
      plain = take_plain_number(at, event.stream.n);
      break;
    case 'e':
    case 'r':
      plain = true;
      break;
    default:
      break;
  }
  event.operation = static_cast<trace_operation>(line[0]);
  return plain && *at == '\n' ? static_cast<std::size_t>(at + 1 - line) : 0;
}

}  // namespace headroom
