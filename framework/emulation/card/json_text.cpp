// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "json_text.hpp"

namespace headroom::emulation {
namespace {

/// Length of the UTF-8 sequence that begins there, 0 for what is none.
std::size_t sequence_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0u) != 0x80u) return 0;
  }
  // Overlong forms, surrogates and what lies beyond Unicode.
  if ((first == 0xE0 && byte(at + 1) < 0xA0) || (first == 0xED && byte(at + 1) > 0x9F) ||
      (first == 0xF0 && byte(at + 1) < 0x90) || (first == 0xF4 && byte(at + 1) > 0x8F)) {
    return 0;
  }
  return length;
}

}  // namespace

std::string json_string(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_at(text, i);
    const auto c = static_cast<unsigned char>(text[i]);
    if (length == 0) {
      out += "\\ufffd";
    } else if (c < 32) {
      out += "\\u00";
      out += digits[c >> 4];
      out += digits[c & 15u];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out + '"';
}

std::string json_member(const char* name, std::int64_t value) {
  return ", \"" + std::string(name) + "\": " + std::to_string(value);
}

}  // namespace headroom::emulation
