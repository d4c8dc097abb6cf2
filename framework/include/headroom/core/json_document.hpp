// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <headroom/core/error.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

enum class json_kind { object, array, string, number, boolean, null };

/// One value of a JSON document, with its place in the file.
struct json_node {
  json_kind kind = json_kind::null;
  std::string key;   ///< its name in the object around it; "" elsewhere
  std::string text;  ///< a string's value; a number exactly as it is written
  bool truth = false;
  int line = 0;                     ///< from 1
  std::vector<json_node> children;  ///< members or items, in the order of the file
  const json_node* parent = nullptr;

  /// The member of an object, nullptr when there is none.
  [[nodiscard]] const json_node* find(std::string_view name) const;
  /// JSON pointer, "" for the whole document. Made for people: a key's control characters are
  /// escaped, and a long key is cut.
  [[nodiscard]] std::string pointer() const;
  /// What stands there, for messages: the number 12, the text "abc", an object, null.
  [[nodiscard]] std::string found() const;
  /// The number, when it is one without fraction and exponent that fits.
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  [[nodiscard]] std::optional<std::uint64_t> unsigned_integer() const;
};

/// One step of a pointer, as json_node::pointer() writes it.
[[nodiscard]] std::string pointer_step(std::string_view key);

/// Borders of what is read at all.
struct json_limits {
  std::size_t bytes = std::size_t{1} << 20;
  std::size_t values = 1'000'000;
  std::size_t depth = 32;
};

/// A document, or why there is none. Both stand together when keys are doubled: the document then
/// holds the first of each.
struct json_result {
  std::unique_ptr<const json_node> document;  ///< nullptr when the text is not JSON
  std::vector<file_problem> problems;
};

/// Reads strict JSON: UTF-8 without a byte order mark, no doubled keys, no NaN, Infinity, comments
/// or trailing text. @param file stands for the file in problems
[[nodiscard]] json_result parse_json(std::string_view text, std::string_view file,
                                     const json_limits& limits = {});

/// The text of a regular file, or the problem that keeps it from being read.
struct text_file {
  std::optional<std::string> text;
  std::vector<file_problem> problems;
};
/// @param most bytes that are read; a larger file is a problem
[[nodiscard]] text_file read_text_file(const std::filesystem::path& path, std::size_t most);

}  // namespace headroom
