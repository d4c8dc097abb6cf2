// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/start_record.hpp>
#include <limits>

namespace headroom {
namespace {

constexpr json_limits limits_of_a_start{std::size_t{64} << 10, 100, 4};
constexpr std::string_view advice = "a start record has it; is the file whole?";

start_record read_members(const json_node& root, problem_list& problems) {
  start_record result;
  json_fields fields(root, problems);
  const auto text = [&](std::string_view key, std::string& into) {
    const json_node* const node = fields.required(key, advice);
    if (node != nullptr) into = read_string(*node, problems).value_or("");
  };
  std::string schema;
  text("schema", schema);
  if (problems.empty() && schema != start_schema_id) {
    problems.add(root, fmt::format("no start record: its schema is not \"{}\"", start_schema_id));
  }
  text("id", result.id);
  text("created", result.created);
  text("test", result.test);
  text("device", result.device);
  if (const json_node* node = fields.required("process", advice)) {
    result.process =
        read_integer(*node, problems, 0, std::numeric_limits<std::int64_t>::max()).value_or(0);
  }
  const json_node* const budget = fields.required("budget", advice);
  if (budget != nullptr && budget->kind != json_kind::null) {
    result.budget = read_string(*budget, problems);
  }
  text("artifact", result.artifact);
  fields.finish();
  return result;
}

}  // namespace

start_record read_start_record(const std::filesystem::path& file) {
  const text_file content = read_text_file(file, limits_of_a_start.bytes);
  if (!content.text) throw artifact_error(content.problems.front().text());
  problem_list problems(file.string());
  json_result json = parse_json(*content.text, file.string(), limits_of_a_start);
  problems.add(std::move(json.problems));
  start_record result;
  if (json.document != nullptr) result = read_members(*json.document, problems);
  if (problems.empty()) return result;
  std::string lines;
  for (const file_problem& problem : problems.sorted()) {
    lines += (lines.empty() ? "" : "\n") + problem.text();
  }
  throw artifact_error(lines);
}

}  // namespace headroom
