// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/json_document.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// The faults of one file, gathered while it is read.
class problem_list {
 public:
  explicit problem_list(std::string_view file) : file_(file) {}

  void add(const json_node& at, std::string message);
  void add(int line, std::string pointer, std::string message);
  void add(std::vector<file_problem> problems);
  [[nodiscard]] bool empty() const { return problems_.empty(); }
  /// In the order of the file.
  [[nodiscard]] std::vector<file_problem> sorted() const;

 private:
  std::string file_;
  std::vector<file_problem> problems_;
};

/// The members of one object. A key that was never asked for is unknown, and finish() reports it:
/// the keys that are read and the keys that are accepted cannot differ.
class json_fields {
 public:
  /// Reports a node that is no object; every key is then absent, and none is reported missing.
  json_fields(const json_node& node, problem_list& problems);

  [[nodiscard]] bool is_object() const { return node_.kind == json_kind::object; }
  /// nullptr when it is absent
  const json_node* optional(std::string_view key);
  /// As optional; reports an absent key. @param advice what to write, "write \"name\": \"...\""
  const json_node* required(std::string_view key, std::string_view advice);
  /// Reports every key that was not asked for, with the nearest of those that were.
  void finish();

 private:
  const json_node& node_;
  problem_list& problems_;
  std::vector<std::string_view> known_;
};

/// "\"a\", \"b\" and \"c\""
[[nodiscard]] std::string list_of(const std::vector<std::string_view>& names);
/// The name that a person most likely meant, "" when none is near.
[[nodiscard]] std::string_view nearest_name(std::string_view text,
                                            const std::vector<std::string_view>& names);

// Values. Each reports what stands there instead and gives nothing.

/// The items of an array, nullptr when it is none.
const std::vector<json_node>* read_array(const json_node& node, problem_list& problems);
/// Any string.
std::optional<std::string> read_string(const json_node& node, problem_list& problems);
/// A string that is not blank and has no line ends or other control characters.
std::optional<std::string> read_text(const json_node& node, problem_list& problems);
/// Why read_text refuses a text, "" when it does not.
[[nodiscard]] std::string fault_of_text(std::string_view text);
/// A JSON integer within both borders; no fraction and no exponent, "1.0" included.
std::optional<std::int64_t> read_integer(const json_node& node, problem_list& problems,
                                         std::int64_t lowest, std::int64_t highest);
std::optional<std::uint64_t> read_unsigned(const json_node& node, problem_list& problems);
/// A size as size_text reads it. A bare number is refused, with the text to write.
std::optional<bytes> read_size(const json_node& node, problem_list& problems);

}  // namespace headroom
