// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "visible.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <numeric>
#include <string_view>

namespace headroom::emulation {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// @return -1 for what names no card, or more than one
int card_named(std::string_view word, int cards) {
  int number = -1;
  const auto [at, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && at == word.data() + word.size()) {
    return number < cards ? number : -1;
  }
  if (!word.starts_with("GPU-")) return -1;
  int found = -1;
  for (int place = 0; place < cards; ++place) {
    if (!card_identifier(place).starts_with(word)) continue;
    if (found >= 0) return -1;
    found = place;
  }
  return found;
}

}  // namespace

std::vector<int> visible_cards(const char* text, int cards) {
  std::vector<int> shown;
  if (text == nullptr) {
    shown.resize(static_cast<std::size_t>(cards));
    std::iota(shown.begin(), shown.end(), 0);
    return shown;
  }
  std::string_view left = text;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(','), left.size());
    const int place = card_named(trimmed(left.substr(0, end)), cards);
    if (place < 0) break;
    if (std::find(shown.begin(), shown.end(), place) != shown.end()) return {};
    shown.push_back(place);
    left.remove_prefix(std::min(left.size(), end + 1));
  }
  return shown;
}

std::string card_identifier(int place) {
  char text[48];
  std::snprintf(text, sizeof text, "GPU-68656164-726f-6f6d-0000-%012x",
                static_cast<unsigned>(place) & 255u);
  return text;
}

}  // namespace headroom::emulation
