// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/core/workload_description.hpp>

namespace headroom {

dimensions::dimensions(std::initializer_list<entry> entries) {
  for (const auto& [name, value] : entries) set(name, value);
}

void dimensions::set(std::string_view name, std::int64_t value) {
  for (auto& [known, old] : entries_) {
    if (known == name) {
      old = value;
      return;
    }
  }
  entries_.emplace_back(name, value);
}

std::optional<std::int64_t> dimensions::find(std::string_view name) const {
  for (const auto& [known, value] : entries_) {
    if (known == name) return value;
  }
  return std::nullopt;
}

std::int64_t dimensions::at(std::string_view name) const {
  if (const auto value = find(name)) return *value;
  throw usage_error(fmt::format("the workload has no dimension \"{}\"; it has {}", name,
                                entries_.empty() ? "none" : text()));
}

std::string dimensions::text() const {
  std::string text;
  for (const auto& [name, value] : entries_) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

bool operator==(const dimensions& a, const dimensions& b) {
  return a.entries_.size() == b.entries_.size() &&
         std::all_of(a.entries_.begin(), a.entries_.end(),
                     [&](const auto& entry) { return b.find(entry.first) == entry.second; });
}

std::optional<std::string> workload_description::find_option(std::string_view option) const {
  for (const auto& [known, value] : options) {
    if (known == option) return value;
  }
  return std::nullopt;
}

}  // namespace headroom
