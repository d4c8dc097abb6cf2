// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <headroom/core/budget_file.hpp>
#include <headroom/core/quoted_text.hpp>

#include "budget_reader.hpp"

namespace headroom {
namespace {

/// A budget has a few hundred values. Far more than that is another file, or an attack.
constexpr json_limits limits_of_a_budget{std::size_t{1} << 20, 20'000, 16};

void check_schema(json_fields& fields, problem_list& problems) {
  const json_node* const schema =
      fields.required("schema", fmt::format("write \"schema\": \"{}\"", budget_schema_id));
  if (schema == nullptr) return;
  if (schema->kind == json_kind::string && schema->text == budget_schema_id) return;
  problems.add(*schema, fmt::format("found {}, which this reader does not know; write \"{}\"",
                                    schema->found(), budget_schema_id));
}

/// @return false when the document is no object: then there is nothing more to say
bool read_members(const json_node& root, budget& into, problem_list& problems) {
  json_fields fields(root, problems);
  if (!fields.is_object()) return false;
  check_schema(fields, problems);
  detail::read_required(fields, "name", "write \"name\": \"dense-forward-fp32\"", into.name,
                        problems, read_text);
  if (const json_node* member = fields.optional("description")) {
    if (auto text = read_text(*member, problems)) into.description = *std::move(text);
  }
  const auto required = [&](std::string_view key, std::string_view advice, auto read, auto& part) {
    if (const json_node* member = fields.required(key, advice)) read(*member, part, problems);
  };
  const auto optional = [&](std::string_view key, auto read, auto& part) {
    if (const json_node* member = fields.optional(key)) read(*member, part, problems);
  };
  required("workload", "write what is run", detail::read_workload, into.workload);
  optional("protocol", detail::read_protocol, into.protocol);
  required("weights", "write the groups of parameters, [] when there are none",
           detail::read_weights, into.weights);
  required("reserve", "write what stands above the weights, [] when nothing does",
           detail::read_reserve, into.reserve);
  required("limits", "limit or waive each of the four counters", detail::read_limits, into);
  optional("phase_limits", detail::read_phase_limits, into.per_phase);
  into.steady_state_growth = bytes{0};  // what is not written must not loosen the gate
  optional("steady_state", detail::read_steady_state, into);
  optional("configurations", detail::read_configurations, into.configurations);
  optional("devices", detail::read_devices, into.per_device);
  optional("accepted_calls", detail::read_accepted_calls, into.accepted_calls);
  optional("history", detail::read_history, into.history);
  fields.finish();
  return true;
}

}  // namespace

budget parse_budget(std::string_view text, std::string_view name) {
  problem_list problems(name);
  json_result json = parse_json(text, name, limits_of_a_budget);
  problems.add(std::move(json.problems));
  budget result;
  if (json.document != nullptr && read_members(*json.document, result, problems)) {
    detail::check_whole(*json.document, result, problems);
  }
  if (!problems.empty()) throw budget_error(problems.sorted());
  result.file = name;
  result.source = text;
  return result;
}

budget read_budget(const std::filesystem::path& file) {
  text_file content = read_text_file(file, limits_of_a_budget.bytes);
  if (!content.text) throw budget_error(std::move(content.problems));
  return parse_budget(*content.text, file.string());
}

}  // namespace headroom
