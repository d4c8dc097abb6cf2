// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/quoted_text.hpp>

namespace headroom {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// @param length of a character that utf8_length accepted
unsigned code_point(std::string_view text, std::size_t length) {
  constexpr unsigned lead_mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  unsigned value = byte_at(text, 0) & lead_mask[length];
  for (std::size_t i = 1; i < length; ++i) value = value << 6 | (byte_at(text, i) & 0x3F);
  return value;
}

/// Characters that a terminal obeys instead of showing them.
bool moves_the_text(unsigned c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
         (c >= 0xE0000 && c <= 0xE007F);
}

std::string shown(std::string_view text, std::size_t length) {
  if (length == 0) return fmt::format("\\x{:02x}", byte_at(text, 0));
  const unsigned c = code_point(text, length);
  if (c == '"' || c == '\\') return {'\\', static_cast<char>(c)};
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '\r') return "\\r";
  if (moves_the_text(c)) return fmt::format("\\u{:04x}", c);
  return std::string(text.substr(0, length));
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned lead = byte_at(text, 0);
  if (lead < 0x80) return 1;
  // 0xC0, 0xC1 and 0xF5 up can only start overlong forms and values above U+10FFFF.
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0) != 0x80) return 0;
  }
  const unsigned c = code_point(text, length);
  const bool overlong = (length == 3 && c < 0x800) || (length == 4 && c < 0x10000);
  const bool surrogate = c >= 0xD800 && c < 0xE000;
  return overlong || surrogate || c > 0x10FFFF ? 0 : length;
}

std::string quoted_text(std::string_view text, std::size_t most) {
  std::string result = "\"";
  std::size_t characters = 0;
  for (std::string_view rest = text; !rest.empty(); ++characters) {
    if (characters == most) return result + fmt::format("...\" ({} bytes)", text.size());
    const std::size_t length = utf8_length(rest);
    result += shown(rest, length);
    rest.remove_prefix(length == 0 ? 1 : length);
  }
  return result + '"';
}

}  // namespace headroom
