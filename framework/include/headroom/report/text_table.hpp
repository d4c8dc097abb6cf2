// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headroom {

enum class align { left, right };

/// Rows of text in columns, two blanks between them, each as wide as its widest entry.
class text_table {
 public:
  explicit text_table(std::vector<align> columns) : columns_(std::move(columns)) {}

  /// @param row one entry a column, in UTF-8
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// One line a row, without blanks at its end. @param indent blanks in front of each line
  [[nodiscard]] std::string text(std::size_t indent) const;

 private:
  std::vector<align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace headroom
