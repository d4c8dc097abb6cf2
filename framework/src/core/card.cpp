// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <charconv>
#include <headroom/core/card.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>

#include "card_texts.hpp"

namespace headroom {
namespace {

constexpr std::string_view schema_id = "headroom-card/1";
constexpr json_limits limits_of_a_card{std::size_t{64} << 10, 1000, 4};

std::optional<int> read_count(const json_node& node, problem_list& problems) {
  const auto value = read_integer(node, problems, 1, 100'000);
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

std::optional<bytes> read_capacity(const json_node& node, problem_list& problems) {
  const std::optional<bytes> size = read_size(node, problems);
  if (size && size->n == 0) problems.add(node, "0 bytes hold nothing");
  return size;
}

/// "9.0"
std::optional<compute_capability> read_capability(const json_node& node, problem_list& problems) {
  compute_capability read;
  const std::string& text = node.text;
  const std::size_t dot = text.find('.');
  if (node.kind == json_kind::string && dot != std::string::npos) {
    const char* const end = text.data() + text.size();
    const char* const middle = text.data() + dot;
    const auto first = std::from_chars(text.data(), middle, read.major);
    const auto second = std::from_chars(middle + 1, end, read.minor);
    if (first.ec == std::errc() && first.ptr == middle && second.ec == std::errc() &&
        second.ptr == end && read.major > 0 && read.minor >= 0) {
      return read;
    }
  }
  problems.add(node, fmt::format("found {}; write \"9.0\"", node.found()));
  return std::nullopt;
}

template <class Value, class Read>
void read_figure(const json_node& node, card_figure<Value>& into, problem_list& problems,
                 Read read) {
  json_fields fields(node, problems);
  if (const json_node* value = fields.required("value", "write the figure")) {
    into.value = read(*value, problems).value_or(Value{});
  }
  if (const json_node* basis = fields.required("basis", "write \"published\" or \"assumed\"")) {
    const auto text = read_text(*basis, problems);
    into.published = text == "published";
    if (text && text != "published" && text != "assumed") {
      problems.add(*basis,
                   fmt::format("found {}; write \"published\" or \"assumed\"", basis->found()));
    }
  }
  if (const json_node* source = fields.required("source", "write where it is published, or why")) {
    into.source = read_text(*source, problems).value_or("");
  }
  fields.finish();
}

void read_members(const json_node& root, card& into, problem_list& problems) {
  json_fields fields(root, problems);
  const auto text = [&](std::string_view key, std::string& value) {
    if (const json_node* node = fields.required(key, "write its text")) {
      value = read_text(*node, problems).value_or("");
    }
  };
  std::string schema;
  text("schema", schema);
  if (problems.empty() && schema != schema_id) {
    problems.add(root, fmt::format("no card: its schema is not \"{}\"", schema_id));
  }
  text("name", into.name);
  text("title", into.title);
  const auto figure = [&](std::string_view key, auto& value, auto read) {
    if (const json_node* node = fields.required(key, "write its value, basis and source")) {
      read_figure(*node, value, problems, read);
    }
  };
  figure("nominal_capacity", into.nominal, read_capacity);
  if (const json_node* node = fields.required("declared_capacity", "write null if not known")) {
    if (node->kind != json_kind::null) {
      read_figure(*node, into.declared.emplace(), problems, read_capacity);
    }
  }
  figure("compute_capability", into.capability, read_capability);
  figure("multiprocessors", into.multiprocessors, read_count);
  figure("level2_cache", into.level2_cache, read_capacity);
  figure("shared_memory_per_multiprocessor", into.shared_per_multiprocessor, read_capacity);
  figure("shared_memory_per_block", into.shared_per_block, read_capacity);
  figure("matrix_library_workspace", into.workspace, read_size);
  figure("context", into.context, read_size);
  if (into.context.value >= into.capacity() && problems.empty()) {
    problems.add(root, "\"context\" leaves nothing of the capacity");
  }
  fields.finish();
}

}  // namespace

std::string_view card::capacity_words() const {
  if (!declared) return "nominal, assumed to be what the card declares";
  return declared->published ? "declared, published" : "declared, assumed";
}

std::vector<std::string> card_names() {
  std::vector<std::string> names;
  for (const detail::card_text& each : detail::card_texts()) names.emplace_back(each.name);
  return names;
}

std::optional<card> find_card(std::string_view name) {
  for (const detail::card_text& each : detail::card_texts()) {
    if (each.name == name) return parse_card(each.text, fmt::format("cards/{}.json", name));
  }
  return std::nullopt;
}

std::string advice_for_card(std::string_view name) {
  std::vector<std::string_view> names;
  for (const detail::card_text& each : detail::card_texts()) names.push_back(each.name);
  const std::string_view nearest = nearest_name(name, names);
  if (!nearest.empty()) return fmt::format("write \"{}\"", nearest);
  return fmt::format("the cards are {}", list_of(names));
}

card parse_card(std::string_view text, std::string_view file) {
  problem_list problems(file);
  const json_result json = parse_json(text, file, limits_of_a_card);
  problems.add(json.problems);
  card result;
  if (json.document != nullptr) read_members(*json.document, result, problems);
  if (problems.empty()) return result;
  std::string lines;
  for (const file_problem& each : problems.sorted()) {
    lines += (lines.empty() ? "" : "\n") + each.text();
  }
  throw usage_error(lines);
}

card read_card(const std::filesystem::path& file) {
  const text_file content = read_text_file(file, limits_of_a_card.bytes);
  if (!content.text) throw usage_error(content.problems.front().text());
  return parse_card(*content.text, file.string());
}

}  // namespace headroom
