// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/device/allocator_settings.hpp>

namespace headroom {
namespace {

using namespace headroom::literals;

std::string mebibytes_text(bytes size) { return fmt::format("{}", size.n / (1_MiB).n); }

/// A number where all are equal, else a list; written so that reading it gives the same table.
std::string divisions_text(const std::array<std::uint64_t, 16>& divisions) {
  std::size_t first = 0;  // entries up to here are equal: the list's first interval fills them
  while (first + 1 < divisions.size() && divisions[first + 1] == divisions[0]) ++first;
  if (first + 1 == divisions.size()) return fmt::format("{}", divisions[0]);
  std::size_t last = divisions.size() - 1;  // entries from here on are equal: ">" fills them
  while (divisions[last - 1] == divisions.back()) --last;
  std::string text;
  for (std::size_t i = first; i < last; ++i) {
    text += fmt::format("{}:{},", std::uint64_t{1} << i, divisions[i]);
  }
  return fmt::format("[{}>:{}]", text, divisions.back());
}

}  // namespace

std::vector<std::pair<std::string, std::string>> allocator_settings::entries() const {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&all](std::string_view name, std::string value) {
    all.emplace_back(name, std::move(value));
  };
  if (max_split_size) add("max_split_size_mb", mebibytes_text(*max_split_size));
  if (max_non_split_rounding) {
    add("max_non_split_rounding_mb", mebibytes_text(*max_non_split_rounding));
  }
  if (roundup_power2_divisions != decltype(roundup_power2_divisions){}) {
    add("roundup_power2_divisions", divisions_text(roundup_power2_divisions));
  }
  if (garbage_collection_threshold) {
    add("garbage_collection_threshold", fmt::format("{}", *garbage_collection_threshold));
  }
  if (per_process_memory_fraction) {
    add("per_process_memory_fraction", fmt::format("{}", *per_process_memory_fraction));
  }
  if (expandable_segments) add("expandable_segments", "True");
  return all;
}

}  // namespace headroom
