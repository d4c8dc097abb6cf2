// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "artifact_fields.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace headroom::detail {
void artifact_fields::refuse(const json_node& node, std::string_view wanted) {
  problems_.add(node, fmt::format("found {}; an artifact has {} here", node.found(), wanted));
}

const json_node* artifact_fields::member(std::string_view key) {
  return fields_.required(key, "an artifact always has it");
}

const json_node* artifact_fields::nullable(std::string_view key) {
  const json_node* const node = member(key);
  return node != nullptr && node->kind != json_kind::null ? node : nullptr;
}

void artifact_fields::text(std::string_view key, std::string& into) {
  const json_node* const node = member(key);
  if (node == nullptr) return;
  if (auto value = read_string(*node, problems_)) into = *std::move(value);
}

void artifact_fields::text(std::string_view key, std::optional<std::string>& into) {
  const json_node* const node = nullable(key);
  if (node != nullptr) into = read_string(*node, problems_);
}

void artifact_fields::texts(std::string_view key, std::vector<std::string>& into) {
  list(key, into, [](const json_node& item, problem_list& problems) {
    return read_string(item, problems).value_or("");
  });
}

void artifact_fields::flag(std::string_view key, bool& into) {
  const json_node* const node = member(key);
  if (node == nullptr) return;
  if (node->kind != json_kind::boolean) return refuse(*node, "true or false");
  into = node->truth;
}

void artifact_fields::number(std::string_view key, int& into, int lowest, int highest) {
  const json_node* const node = member(key);
  if (node == nullptr) return;
  if (const auto value = read_integer(*node, problems_, lowest, highest)) {
    into = static_cast<int>(*value);
  }
}

void artifact_fields::number(std::string_view key, std::int64_t& into, std::int64_t lowest) {
  const json_node* const node = member(key);
  if (node == nullptr) return;
  if (const auto value = read_integer(*node, problems_, lowest, largest_integer)) into = *value;
}

void artifact_fields::number(std::string_view key, std::optional<std::int64_t>& into) {
  const json_node* const node = nullable(key);
  if (node != nullptr) into = read_integer(*node, problems_, 0, largest_integer);
}

void artifact_fields::number(std::string_view key, std::optional<double>& into) {
  const json_node* const node = nullable(key);
  if (node == nullptr) return;
  double value = 0;
  const char* const end = node->text.data() + node->text.size();
  const auto [stop, failure] = std::from_chars(node->text.data(), end, value);
  const bool read = node->kind == json_kind::number && failure == std::errc() && stop == end;
  if (!read || value < 0) return refuse(*node, "a number of 0 or more, or null");
  into = value;
}

void artifact_fields::size(std::string_view key, bytes& into) { number(key, into.n, 0); }

void artifact_fields::size(std::string_view key, std::optional<bytes>& into, bytes lowest) {
  const json_node* const node = nullable(key);
  if (node == nullptr) return;
  if (const auto value = read_integer(*node, problems_, lowest.n, largest_integer))
    into = bytes{*value};
}

void artifact_fields::constant(std::string_view key, std::string_view value) {
  const json_node* const node = member(key);
  if (node == nullptr || (node->kind == json_kind::string && node->text == value)) return;
  refuse(*node, fmt::format("\"{}\"", value));
}

}  // namespace headroom::detail
