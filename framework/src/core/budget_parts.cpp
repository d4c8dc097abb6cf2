// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <limits>

#include <headroom/core/quoted_text.hpp>
#include "budget_reader.hpp"

namespace headroom::detail {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_passes = 1'000'000;
constexpr std::int64_t most_bits = 1024;

/// For read_required: an integer within borders.
auto integer_in(std::int64_t lowest, std::int64_t highest) {
  return [=](const json_node& node, problem_list& problems) {
    return read_integer(node, problems, lowest, highest);
  };
}

/// Keys that name something: not blank, no control characters.
bool check_key(const json_node& member, problem_list& problems) {
  const std::string fault = fault_of_text(member.key);
  if (!fault.empty()) problems.add(member, fmt::format("key: {}", fault));
  return fault.empty();
}

void read_dimensions(const json_node& node, dimensions& into, problem_list& problems) {
  json_fields fields(node, problems);
  for (const json_node& member : node.children) {
    if (!fields.is_object() || !check_key(member, problems)) continue;
    const auto value = read_integer(member, problems, 1, largest);
    if (value) into.set(member.key, *value);
  }
}

void read_options(const json_node& node, workload_description& into, problem_list& problems) {
  json_fields fields(node, problems);
  for (const json_node& member : node.children) {
    if (!fields.is_object() || !check_key(member, problems)) continue;
    auto value = read_text(member, problems);
    if (value) into.options.emplace_back(member.key, *std::move(value));
  }
}

void read_int(json_fields& fields, std::string_view key, std::int64_t lowest, int& into,
              problem_list& problems) {
  const json_node* const member = fields.optional(key);
  if (member == nullptr) return;
  const auto value = read_integer(*member, problems, lowest, most_passes);
  if (value) into = static_cast<int>(*value);
}

void read_flag(json_fields& fields, std::string_view key, bool& into, problem_list& problems) {
  const json_node* const node = fields.optional(key);
  if (node == nullptr) return;
  if (node->kind == json_kind::boolean) {
    into = node->truth;
  } else {
    problems.add(*node, fmt::format("found {}; write true or false", node->found()));
  }
}

}  // namespace

std::optional<basis> read_basis(const json_node& node, problem_list& problems) {
  const auto known = node.kind == json_kind::string ? basis_from_name(node.text) : std::nullopt;
  if (!known) {
    problems.add(node, fmt::format("found {}; write \"computed\", \"measured\" or "
                                   "\"assumed\"",
                                   node.found()));
  }
  return known;
}

void distinct_names::add(const json_node& at, const std::string& name) {
  if (!names_.insert(name).second) {
    problems_.add(at,
                  fmt::format("a second {} {}; give each its own name", what_, quoted_text(name)));
  }
}

void read_workload(const json_node& node, workload_description& workload, problem_list& problems) {
  json_fields fields(node, problems);
  read_required(fields, "name", "write \"name\": \"dense\"", workload.name, problems, read_text);
  read_required(fields, "operation", "write \"operation\": \"forward\"", workload.operation,
                problems, read_text);
  read_required(fields, "revision", "write \"revision\": \"1\"", workload.revision, problems,
                read_text);
  read_required(fields, "seed", "write \"seed\": 1234", workload.seed, problems, read_unsigned);
  read_required(fields, "dtype", "write \"dtype\": \"float32\"", workload.dtype, problems,
                read_text);
  if (const json_node* sizes =
          fields.required("dimensions", "write \"dimensions\": {\"batch\": 2}")) {
    read_dimensions(*sizes, workload.requested, problems);
  }
  if (const json_node* options = fields.optional("options")) {
    read_options(*options, workload, problems);
  }
  fields.finish();
}

void read_protocol(const json_node& node, protocol& protocol, problem_list& problems) {
  json_fields fields(node, problems);
  read_int(fields, "warmup", 0, protocol.warmup, problems);
  read_int(fields, "repeats", 1, protocol.repeats, problems);
  read_flag(fields, "empty_cache_between_repeats", protocol.empty_cache_between_repeats, problems);
  read_flag(fields, "touch", protocol.touch, problems);
  fields.finish();
}

void read_weights(const json_node& node, std::vector<weight_group>& weights,
                  problem_list& problems) {
  const auto* items = read_array(node, problems);
  if (items == nullptr) return;
  distinct_names names("weight group", problems);
  for (const json_node& item : *items) {
    weight_group group;
    std::int64_t bits = 0;
    json_fields fields(item, problems);
    if (const json_node* name = read_required(fields, "name", "write \"name\": \"linear\"",
                                              group.name, problems, read_text)) {
      names.add(*name, group.name);
    }
    read_required(fields, "parameters", "write how many there are", group.parameters, problems,
                  integer_in(1, largest));
    read_required(fields, "bits", "write \"bits\": 16, of one parameter as it is stored", bits,
                  problems, integer_in(1, most_bits));
    read_required(fields, "compute", "write \"compute\": \"float32\"", group.compute, problems,
                  read_text);
    fields.finish();
    group.bits = static_cast<int>(bits);
    weights.push_back(std::move(group));
  }
}

void read_accepted_calls(const json_node& node, std::vector<accepted_call>& calls,
                         problem_list& problems) {
  const auto* items = read_array(node, problems);
  if (items == nullptr) return;
  distinct_names names("accepted call", problems);
  for (const json_node& item : *items) {
    accepted_call each;
    json_fields fields(item, problems);
    if (const json_node* call =
            read_required(fields, "call", "write \"call\": \"cudaCreateTextureObject\"", each.call,
                          problems, read_text)) {
      names.add(*call, each.call);
    }
    read_required(fields, "why", "write \"why\": \"why it takes no memory of the card\"", each.why,
                  problems, read_text);
    fields.finish();
    calls.push_back(std::move(each));
  }
}

void read_reserve(const json_node& node, std::vector<reserve_item>& reserve,
                  problem_list& problems) {
  const auto* items = read_array(node, problems);
  if (items == nullptr) return;
  distinct_names names("reserve item", problems);
  for (const json_node& each : *items) {
    reserve_item item;
    json_fields fields(each, problems);
    if (const json_node* name = read_required(fields, "name", "write \"name\": \"activations\"",
                                              item.name, problems, read_text)) {
      names.add(*name, item.name);
    }
    read_required(fields, "size", "write \"size\": \"6 MiB\"", item.size, problems, read_size);
    read_required(fields, "basis", "write \"computed\", \"measured\" or \"assumed\"", item.basis,
                  problems, read_basis);
    read_required(fields, "why", "write \"why\": \"what the bytes are for, and why so many\"",
                  item.why, problems, read_text);
    fields.finish();
    reserve.push_back(std::move(item));
  }
}

}  // namespace headroom::detail
