// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/budget.hpp>
#include <headroom/core/json_fields.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::detail {

// Each reads one part of a budget file and reports every fault of it. What could not be read stays
// as it was.

void read_workload(const json_node& node, workload_description& workload, problem_list& problems);
void read_protocol(const json_node& node, protocol& protocol, problem_list& problems);
void read_weights(const json_node& node, std::vector<weight_group>& weights,
                  problem_list& problems);
void read_accepted_calls(const json_node& node, std::vector<accepted_call>& calls,
                         problem_list& problems);
void read_reserve(const json_node& node, std::vector<reserve_item>& reserve,
                  problem_list& problems);
/// `limits`, with `cold` and `warm` inside: every counter is limited or waived.
void read_limits(const json_node& node, budget& into, problem_list& problems);
void read_phase_limits(const json_node& node, std::vector<phase_limits>& phases,
                       problem_list& problems);
void read_steady_state(const json_node& node, budget& into, problem_list& problems);
void read_configurations(const json_node& node, std::vector<configuration>& configurations,
                         problem_list& problems);
void read_devices(const json_node& node, std::vector<device_override>& devices,
                  problem_list& problems);
void read_history(const json_node& node, std::vector<history_entry>& history,
                  problem_list& problems);

/// What no single part shows: sums that overflow, bounds that cross once the envelope is known,
/// limits that their history does not explain. @param root of the file that `read` came from
void check_whole(const json_node& root, const budget& read, problem_list& problems);

/// Names that have to differ within one list.
class distinct_names {
 public:
  distinct_names(std::string_view what, problem_list& problems)
      : what_(what), problems_(problems) {}
  /// Reports a name that was there before. @param at the name
  void add(const json_node& at, const std::string& name);

 private:
  std::string_view what_;
  problem_list& problems_;
  std::set<std::string, std::less<>> names_;
};

/// Reads member `key` into `into`, where it is there and can be read. @param read one of read_text,
/// read_size and the like. @return the member when `into` was set
template <class Value, class Read>
const json_node* read_required(json_fields& fields, std::string_view key, std::string_view advice,
                               Value& into, problem_list& problems, Read read) {
  const json_node* const member = fields.required(key, advice);
  if (member == nullptr) return nullptr;
  auto value = read(*member, problems);
  if (!value) return nullptr;
  into = *std::move(value);
  return member;
}

std::optional<basis> read_basis(const json_node& node, problem_list& problems);

}  // namespace headroom::detail
