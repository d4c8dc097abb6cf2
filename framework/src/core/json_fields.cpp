// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>
#include <numeric>
#include <utility>

namespace headroom {
namespace {

constexpr std::size_t longest_name = 64;

/// Letters to replace, add, leave out, or swap with their neighbour, from one short text to
/// another.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);  // from the first i letters of a to each part of b
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> above;
  std::vector<std::size_t> two_above;
  for (std::size_t i = 0; i < a.size(); ++i) {
    two_above = std::exchange(above, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = above[j] + (a[i] == b[j] ? 0 : 1);
      row[j + 1] = std::min({replaced, row[j] + 1, above[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], two_above[j - 1] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

void problem_list::add(const json_node& at, std::string message) {
  add(at.line, at.pointer(), std::move(message));
}

void problem_list::add(int line, std::string pointer, std::string message) {
  problems_.push_back({file_, line, std::move(pointer), std::move(message)});
}

void problem_list::add(std::vector<file_problem> problems) {
  std::move(problems.begin(), problems.end(), std::back_inserter(problems_));
}

std::vector<file_problem> problem_list::sorted() const {
  std::vector<file_problem> result = problems_;
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  return result;
}

json_fields::json_fields(const json_node& node, problem_list& problems)
    : node_(node), problems_(problems) {
  if (!is_object()) problems_.add(node, fmt::format("found {}; write an object", node.found()));
}

const json_node* json_fields::optional(std::string_view key) {
  known_.push_back(key);
  return node_.find(key);
}

const json_node* json_fields::required(std::string_view key, std::string_view advice) {
  const json_node* const member = optional(key);
  if (member == nullptr && is_object()) {
    problems_.add(node_, fmt::format("key \"{}\" is missing; {}", key, advice));
  }
  return member;
}

void json_fields::finish() {
  if (!is_object()) return;
  for (const json_node& member : node_.children) {
    if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
    const std::string_view nearest = nearest_name(member.key, known_);
    problems_.add(member, nearest.empty() ? fmt::format("unknown key {}; the keys here are {}",
                                                        quoted_text(member.key), list_of(known_))
                                          : fmt::format("unknown key {}; write \"{}\"",
                                                        quoted_text(member.key), nearest));
  }
}

std::string list_of(const std::vector<std::string_view>& names) {
  std::string result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) result += i + 1 == names.size() ? " and " : ", ";
    result += fmt::format("\"{}\"", names[i]);
  }
  return result;
}

std::string_view nearest_name(std::string_view text, const std::vector<std::string_view>& names) {
  if (text.size() > longest_name) return {};
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const std::string_view name : names) {
    const std::size_t steps = distance(text, name);
    if (steps < least) {
      least = steps;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace headroom
