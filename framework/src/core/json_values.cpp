// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <limits>

namespace headroom {
namespace {

void refuse(const json_node& node, problem_list& problems, std::string_view advice) {
  problems.add(node, fmt::format("found {}; {}", node.found(), advice));
}

std::string borders(const json_node& node, std::int64_t lowest, std::int64_t highest) {
  const auto value = node.integer();
  const bool too_large = node.kind == json_kind::number && !value &&
                         node.text.find_first_not_of("0123456789") == std::string::npos;
  if (highest == std::numeric_limits<std::int64_t>::max() && !too_large) {
    return fmt::format("write an integer of {} or more", lowest);
  }
  return fmt::format("write an integer from {} to {}", lowest, highest);
}

/// A control character: C0, DEL, and C1 with its two-byte form.
bool has_control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F) return true;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) {
      return true;
    }
  }
  return false;
}

}  // namespace

const std::vector<json_node>* read_array(const json_node& node, problem_list& problems) {
  if (node.kind == json_kind::array) return &node.children;
  refuse(node, problems, "write an array");
  return nullptr;
}

std::optional<std::string> read_string(const json_node& node, problem_list& problems) {
  if (node.kind == json_kind::string) return node.text;
  refuse(node, problems, "write a text in quotes");
  return std::nullopt;
}

std::string fault_of_text(std::string_view text) {
  if (has_control_character(text)) {
    return fmt::format("{} has a line end or another control character; write it without",
                       quoted_text(text));
  }
  if (text.find_first_not_of(' ') == std::string_view::npos) {
    return text.empty() ? "empty text; write what belongs here"
                        : "blank text; write what belongs here";
  }
  return "";
}

std::optional<std::string> read_text(const json_node& node, problem_list& problems) {
  auto text = read_string(node, problems);
  if (!text) return std::nullopt;
  std::string fault = fault_of_text(*text);
  if (fault.empty()) return text;
  problems.add(node, std::move(fault));
  return std::nullopt;
}

std::optional<std::int64_t> read_integer(const json_node& node, problem_list& problems,
                                         std::int64_t lowest, std::int64_t highest) {
  const auto value = node.integer();
  if (value && lowest <= *value && *value <= highest) return value;
  refuse(node, problems, borders(node, lowest, highest));
  return std::nullopt;
}

std::optional<std::uint64_t> read_unsigned(const json_node& node, problem_list& problems) {
  const auto value = node.unsigned_integer();
  if (value) return value;
  refuse(node, problems, "write an integer from 0 to 18446744073709551615");
  return std::nullopt;
}

std::optional<bytes> read_size(const json_node& node, problem_list& problems) {
  if (node.kind == json_kind::string) {
    const size_result size = parse_size(node.text);
    if (!size.value) problems.add(node, fmt::format("{}; {}", size.found, size.advice));
    return size.value;
  }
  const auto count = node.integer();
  refuse(node, problems,
         count && *count >= 0 ? fmt::format("write \"{} B\"", *count)
                              : std::string("write a size in quotes, for example \"4 GiB\""));
  return std::nullopt;
}

}  // namespace headroom
