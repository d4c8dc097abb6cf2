// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <charconv>
#include <headroom/core/json_document.hpp>
#include <headroom/core/quoted_text.hpp>

namespace headroom {
namespace {

template <class Integer>
std::optional<Integer> whole_number(const json_node& node) {
  if (node.kind != json_kind::number) return std::nullopt;
  Integer value{};
  const char* const end = node.text.data() + node.text.size();
  const auto [stop, failure] = std::from_chars(node.text.data(), end, value);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string step_of(const json_node& node) {
  if (node.parent->kind == json_kind::object) return pointer_step(node.key);
  return fmt::format("{}", &node - node.parent->children.data());
}

}  // namespace

const json_node* json_node::find(std::string_view name) const {
  if (kind != json_kind::object) return nullptr;
  for (const json_node& child : children) {
    if (child.key == name) return &child;
  }
  return nullptr;
}

std::string json_node::pointer() const {
  std::string result;
  for (const json_node* node = this; node->parent != nullptr; node = node->parent) {
    result.insert(0, '/' + step_of(*node));
  }
  return result;
}

std::string json_node::found() const {
  switch (kind) {
    case json_kind::object:
      return "an object";
    case json_kind::array:
      return "an array";
    case json_kind::string:
      return fmt::format("the text {}", quoted_text(text));
    case json_kind::number: {
      const std::string shown = quoted_text(text);
      return text.size() > 60 ? fmt::format("the number {}", shown)
                              : fmt::format("the number {}", text);
    }
    case json_kind::boolean:
      return truth ? "true" : "false";
    case json_kind::null:
      break;
  }
  return "null";
}

std::optional<std::int64_t> json_node::integer() const { return whole_number<std::int64_t>(*this); }

std::optional<std::uint64_t> json_node::unsigned_integer() const {
  return whole_number<std::uint64_t>(*this);
}

std::string pointer_step(std::string_view key) {
  std::string escaped;
  for (const char c : key) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  const std::string shown = quoted_text(escaped);
  // The quotes go; what is left is the key as it is unless it had to be escaped or cut.
  const std::size_t end = shown.rfind('"');
  return shown.substr(1, end - 1);
}

}  // namespace headroom
