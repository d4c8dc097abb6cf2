// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/series/artifact_reader.hpp>

#include <fmt/format.h>

#include <headroom/core/error.hpp>
#include <headroom/series/artifact.hpp>

#include "artifact_fields.hpp"

namespace headroom {
namespace {

constexpr json_limits limits_of_an_artifact{std::size_t{64} << 20, 4'000'000, 16};
constexpr std::array all_outcomes{outcome::within,        outcome::exceeded, outcome::unknown,
                                  outcome::out_of_memory, outcome::failed,   outcome::setup_error,
                                  outcome::skipped};

/// @return false when it is another kind of file: then its faults would say nothing
bool check_schema(const json_node& root, problem_list& problems) {
  const json_node* const schema = root.find("schema");
  if (root.kind != json_kind::object || schema == nullptr) {
    problems.add(root,
                 fmt::format("no artifact: it has no \"schema\": \"{}\"", artifact_schema_id));
    return false;
  }
  if (schema->kind == json_kind::string && schema->text == artifact_schema_id) return true;
  if (schema->kind == json_kind::string && schema->text == start_schema_id) {
    problems.add(*schema, "a start record: the run began and did not finish");
  } else {
    problems.add(*schema, fmt::format("found {}, which this reader does not know; it reads \"{}\"",
                                      schema->found(), artifact_schema_id));
  }
  return false;
}

void read_tool(const json_node& node, tool_record& into, problem_list& problems) {
  detail::artifact_fields fields(node, problems);
  fields.constant("name", "headroom");
  fields.text("version", into.version);
  fields.text("revision", into.revision);
  fields.finish();
}

void check_time(const json_node& root, problem_list& problems) {
  constexpr std::string_view shape = "0000-00-00T00:00:00Z";
  const json_node* const created = root.find("created");
  if (created == nullptr || created->kind != json_kind::string) return;
  bool same = created->text.size() == shape.size();
  for (std::size_t i = 0; same && i < shape.size(); ++i) {
    const char c = created->text[i];
    same = shape[i] == '0' ? c >= '0' && c <= '9' : c == shape[i];
  }
  if (!same) problems.add(*created, "no time in UTC, as in \"2026-11-29T16:07:19Z\"");
}

stored_artifact read_members(const json_node& root, std::vector<counter_spread>& spreads,
                             problem_list& problems) {
  stored_artifact result;
  series_record& series = result.series;
  detail::artifact_fields fields(root, problems);
  fields.constant("schema", artifact_schema_id);
  fields.text("id", series.id);
  fields.text("created", series.created);
  check_time(root, problems);
  const auto part = [&](std::string_view key, auto read, auto& into) {
    if (const json_node* node = fields.member(key)) read(*node, into, problems);
  };
  part("tool", read_tool, series.tool);
  fields.text("test", series.test);
  bool prediction = false;
  fields.flag("prediction", prediction);  // compared with the devices once all is read
  fields.name("outcome", all_outcomes, result.result.outcome);
  fields.text("outcome_reason", result.result.reason);
  fields.texts("warnings", result.result.warnings);
  part("workload", detail::read_workload, series);
  part("protocol", detail::read_protocol, series);
  fields.text("setup_error", series.setup_error);
  fields.text("skipped", series.skipped);
  fields.list("probe", series.probes, detail::read_probe);
  if (const json_node* node = fields.member("environment")) {
    series.environment = detail::read_environment(*node, problems);
  }
  fields.list("devices", series.devices, detail::read_device);
  fields.list("phases", series.phases, detail::read_phase);
  fields.list("spread", spreads, detail::read_spread);
  const json_node* const estimate = fields.nullable("estimate");
  const json_node* const against = fields.nullable("budget");
  if ((estimate == nullptr) != (against == nullptr)) {
    problems.add(root, "\"estimate\" and \"budget\" are there both or not at all");
  }
  if (estimate != nullptr && against != nullptr) {
    detail::read_estimate(*estimate, result.against.emplace(), problems);
    detail::read_budget(*against, result, problems);
  }
  fields.list("checks", series.checks, detail::read_check);
  if (fields.has("program")) {
    if (const json_node* node = fields.member("program")) {
      series.program = detail::read_program(*node, problems);
    }
  }
  if (fields.has("calibration")) {
    if (const json_node* node = fields.member("calibration")) {
      series.calibration = detail::read_calibration(*node, problems);
    }
  }
  fields.finish();
  return result;
}

std::string lines_of(const problem_list& problems) {
  std::string text;
  for (const file_problem& problem : problems.sorted()) {
    if (!text.empty()) text += '\n';
    text += problem.text();
  }
  return text;
}

}  // namespace

stored_artifact parse_artifact(std::string_view text, std::string_view name) {
  problem_list problems(name);
  json_result json = parse_json(text, name, limits_of_an_artifact);
  problems.add(std::move(json.problems));
  stored_artifact result;
  if (json.document != nullptr && check_schema(*json.document, problems)) {
    std::vector<counter_spread> spreads;
    result = read_members(*json.document, spreads, problems);
    // Parts that could not be read cannot agree or disagree.
    if (problems.empty()) detail::check_agreement(*json.document, result, spreads, problems);
  }
  if (!problems.empty()) throw artifact_error(lines_of(problems));
  return result;
}

stored_artifact read_artifact(const std::filesystem::path& file) {
  text_file content = read_text_file(file, limits_of_an_artifact.bytes);
  if (!content.text) throw artifact_error(content.problems.front().text());
  return parse_artifact(*content.text, file.string());
}

}  // namespace headroom
