// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>

#include "budget_reader.hpp"
#include "characters.hpp"

namespace headroom::detail {
namespace {

/// "2026-01-31" or "2026-01-31T12:00:00Z"; months have up to 31 days.
bool is_date(std::string_view text) {
  constexpr std::string_view shape = "0000-00-00T00:00:00Z";
  if (text.size() != 10 && text.size() != shape.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (shape[i] == '0' ? !is_digit(text[i]) : text[i] != shape[i]) return false;
  }
  const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + text[at + 1] - '0'; };
  const bool day = two(5) >= 1 && two(5) <= 12 && two(8) >= 1 && two(8) <= 31;
  return day && (text.size() == 10 || (two(11) < 24 && two(14) < 60 && two(17) < 60));
}

std::optional<std::string> read_date(const json_node& node, problem_list& problems) {
  if (node.kind == json_kind::string && is_date(node.text)) return node.text;
  problems.add(node, fmt::format("found {}; write a date,  \"2026-01-31\" or "
                                 "\"2026-01-31T12:00:00Z\"",
                                 node.found()));
  return std::nullopt;
}

std::optional<std::string> read_hash(const json_node& node, problem_list& problems) {
  const bool valid = node.kind == json_kind::string && node.text.size() == 64 &&
                     std::all_of(node.text.begin(), node.text.end(),
                                 [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
  if (valid) return node.text;
  problems.add(node,
               fmt::format("found {}; write a SHA-256, 64 digits of 0-9 and a-f", node.found()));
  return std::nullopt;
}

std::optional<bytes> read_capacity(const json_node& node, problem_list& problems) {
  const auto size = read_size(node, problems);
  if (!size || size->n > 0) return size;
  problems.add(node, "a capacity of 0 B; write what the device has");
  return std::nullopt;
}

}  // namespace

void read_configurations(const json_node& node, std::vector<configuration>& configurations,
                         problem_list& problems) {
  const auto* items = read_array(node, problems);
  if (items == nullptr) return;
  distinct_names names("configuration", problems);
  for (const json_node& item : *items) {
    configuration entry;
    entry.line = item.line;
    json_fields fields(item, problems);
    if (const json_node* name = read_required(fields, "name", "write \"name\": \"RTX 4090\"",
                                              entry.name, problems, read_text)) {
      names.add(*name, entry.name);
    }
    read_required(fields, "device", "write the device's name, or an id such as \"cuda:0\"",
                  entry.device, problems, read_text);
    const json_node* const capacity =
        read_required(fields, "capacity", "write \"capacity\": \"24 GB\"", entry.capacity, problems,
                      read_capacity);
    read_required(fields, "basis", "write \"assumed\" for a nominal capacity", entry.basis,
                  problems, read_basis);
    if (const json_node* least = fields.optional("minimum_headroom")) {
      entry.minimum_headroom = read_size(*least, problems);
      if (capacity != nullptr && entry.minimum_headroom &&
          entry.capacity < *entry.minimum_headroom) {
        problems.add(*least, fmt::format("{} is above the capacity of {}; nothing could fit",
                                         format_exact(*entry.minimum_headroom),
                                         format_exact(entry.capacity)));
      }
    }
    fields.finish();
    configurations.push_back(std::move(entry));
  }
}

void read_history(const json_node& node, std::vector<history_entry>& history,
                  problem_list& problems) {
  const auto* items = read_array(node, problems);
  if (items == nullptr) return;
  for (const json_node& item : *items) {
    history_entry entry;
    json_fields fields(item, problems);
    const auto read = [&](std::string_view key, std::string_view advice, auto& into, auto reader) {
      read_required(fields, key, advice, into, problems, reader);
    };
    read("limit", "write \"limit\": \"/limits/allocated_peak\"", entry.limit, read_text);
    read("from", "write the old limit", entry.from, read_size);
    read("to", "write the new limit", entry.to, read_size);
    read("reason", "write why the limit was changed", entry.reason, read_text);
    read("date", "write \"date\": \"2026-01-31\"", entry.date, read_date);
    read("artifact_sha256", "write the hash of the artifact that shows the need",
         entry.artifact_sha256, read_hash);
    read("device", "write the device of the artifact", entry.device, read_text);
    read("revision", "write the revision of the code that was measured", entry.revision, read_text);
    fields.finish();
    history.push_back(std::move(entry));
  }
}

}  // namespace headroom::detail
