// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <limits>

#include "artifact_fields.hpp"

namespace headroom::detail {
namespace {

constexpr int most_bits = std::numeric_limits<int>::max();
constexpr int most_lines = std::numeric_limits<int>::max();
/// Growth and headroom may be negative.
constexpr bytes lowest_measured{-(std::int64_t{1} << 62)};
constexpr std::array all_rulings{ruling::within, ruling::exceeded, ruling::unknown, ruling::waived};
constexpr std::array all_scopes{limit_scope::passes, limit_scope::cold,   limit_scope::warm,
                                limit_scope::phase,  limit_scope::growth, limit_scope::headroom};
constexpr std::array all_bounds{bound::at_most, bound::at_least};

/// What the limit's numbers say; absent when one is missing.
std::optional<ruling> ruling_of(const limit_verdict& each) {
  if (!each.limit || !each.measured) return std::nullopt;
  const bool over =
      each.bound == bound::at_most ? *each.limit < *each.measured : *each.measured < *each.limit;
  return over ? ruling::exceeded : ruling::within;
}

void check_ruling(const json_node& node, const limit_verdict& each, problem_list& problems) {
  if (std::int64_t over = 0;
      each.limit && each.measured && !checked_add(each.measured->n, -each.limit->n, over)) {
    problems.add(node,
                 "the difference of \"measured_bytes\" and \"limit_bytes\" does not fit 64 bits");
    return;
  }
  const std::optional<ruling> numbers = ruling_of(each);
  const bool judged = each.result == ruling::within || each.result == ruling::exceeded;
  if (judged && numbers != each.result) {
    problems.add(node, "the verdict contradicts its limit and its measured value");
  }
  if (each.result == ruling::waived && each.limit) {
    problems.add(node, "a waived limit with a limit");
  }
}

limit_verdict read_verdict(const json_node& node, problem_list& problems) {
  limit_verdict result;
  artifact_fields fields(node, problems);
  fields.text("device", result.device);
  fields.name("counter", all_counters, result.counter);
  fields.name("scope", all_scopes, result.scope);
  fields.name("bound", all_bounds, result.bound);
  fields.text("phase", result.phase);
  fields.name("pass", all_passes, result.pass);
  fields.number("repeat", result.repeat, 0, most_passes);
  fields.size("limit_bytes", result.limit);
  fields.flag("from_envelope", result.from_envelope);
  fields.size("measured_bytes", result.measured, lowest_measured);
  fields.name("verdict", all_rulings, result.result);
  fields.text("reason", result.reason);
  fields.number("line", result.line, 0, most_lines);
  fields.text("pointer", result.pointer);
  fields.finish();
  check_ruling(node, result, problems);
  return result;
}

weight_group read_group(const json_node& node, problem_list& problems) {
  weight_group result;
  bytes size;
  artifact_fields fields(node, problems);
  fields.text("name", result.name);
  fields.number("parameters", result.parameters, 1);
  fields.number("bits", result.bits, 1, most_bits);
  fields.text("compute", result.compute);
  fields.size("size_bytes", size);
  fields.constant("basis", name_of(basis::computed));
  fields.finish();
  std::int64_t bits = 0;
  std::int64_t padded = 0;
  const bool fits =
      checked_multiply(result.parameters, result.bits, bits) && checked_add(bits, 7, padded);
  if (!fits || bytes{padded / 8} != size) {
    problems.add(node, "\"size_bytes\" is not parameters x bits / 8");
  }
  return result;
}

reserve_item read_item(const json_node& node, problem_list& problems) {
  reserve_item result;
  artifact_fields fields(node, problems);
  fields.text("name", result.name);
  fields.size("size_bytes", result.size);
  fields.name("basis", all_bases, result.basis);
  fields.text("why", result.why);
  fields.finish();
  return result;
}

}  // namespace

void read_estimate(const json_node& node, stored_budget& into, problem_list& problems) {
  bytes weights;
  artifact_fields fields(node, problems);
  fields.size("weights_bytes", weights);
  fields.list("weights", into.weights, read_group);
  fields.list("reserve", into.reserve, read_item);
  fields.size("envelope_bytes", into.envelope);
  fields.name("envelope_basis", all_bases, into.envelope_basis);
  fields.finish();
  if (!problems.empty()) return;  // the sums below need every part
  budget parts;
  parts.weights = into.weights;
  parts.reserve = into.reserve;
  try {
    if (parts.weight_bytes() != weights || parts.envelope() != into.envelope) {
      problems.add(node, "\"weights_bytes\" or \"envelope_bytes\" is not the sum of its parts");
    }
  } catch (const usage_error& overflow) {
    problems.add(node, overflow.what());
  }
  if (parts.envelope_basis() != into.envelope_basis) {
    problems.add(node, "\"envelope_basis\" is not the weakest basis of the parts");
  }
}

void read_budget(const json_node& node, stored_artifact& into, problem_list& problems) {
  stored_budget& against = *into.against;
  artifact_fields fields(node, problems);
  fields.text("name", against.name);
  fields.text("file", against.file);
  fields.text("sha256", against.sha256);
  if (const json_node* hash = node.find("sha256"); hash != nullptr) {
    const bool valid = against.sha256.size() == 64 &&
                       against.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!valid) problems.add(*hash, "no SHA-256: 64 digits of 0-9 and a-f");
  }
  fields.list("verdicts", into.result.limits, read_verdict);
  fields.finish();
}

}  // namespace headroom::detail
