// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <headroom/report/text_table.hpp>

namespace headroom {
namespace {

std::size_t characters_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string text_table::text(std::size_t indent) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths.at(i) = std::max(widths.at(i), characters_of(row[i]));
    }
  }
  std::string result;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - characters_of(row[i]), ' ');
      if (i > 0) line += "  ";
      line += columns_[i] == align::left ? row[i] + padding : padding + row[i];
    }
    line.resize(line.find_last_not_of(' ') + 1);
    result += line + '\n';
  }
  return result;
}

}  // namespace headroom
