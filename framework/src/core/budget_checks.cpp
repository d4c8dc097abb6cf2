// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <set>

#include "budget_reader.hpp"

namespace headroom::detail {
namespace {

/// Every limit of a budget, in the order of its members.
template <class Visit>
void for_each_limit(const budget& read, Visit visit) {
  const auto visit_set = [&](const limit_set& set) {
    for (const auto& each : set.by_counter) {
      if (each) visit(*each);
    }
  };
  visit_set(read.limits);
  visit_set(read.cold_limits);
  visit_set(read.warm_limits);
  for (const phase_limits& phase : read.per_phase) visit_set(phase.limits);
}

/// Reports a sum that does not fit 64 bits. @return true when it fits
template <class Sum>
bool fits(const json_node& at, problem_list& problems, Sum sum) {
  try {
    (void)sum();
    return true;
  } catch (const usage_error& overflow) {
    problems.add(at, fmt::format("{}; write smaller figures", overflow.what()));
    return false;
  }
}

bool check_weights(const json_node* node, const budget& read, problem_list& problems) {
  bool each_fits = true;
  for (std::size_t i = 0; i < read.weights.size(); ++i) {
    each_fits &= fits(node->children[i], problems, [&] { return storage_bytes(read.weights[i]); });
  }
  return each_fits &&
         (node == nullptr || fits(*node, problems, [&] { return read.weight_bytes(); }));
}

/// @param around the object that `reserve` is a member of
bool check_reserve(const json_node& around, const budget& read, problem_list& problems) {
  const json_node* const node = around.find("reserve");
  return node == nullptr || fits(*node, problems, [&] { return read.reserve_bytes(); });
}

/// @param seen pointers of limits that were reported before
void check_bounds(const budget& resolved, std::string_view where, std::set<std::string>& seen,
                  problem_list& problems) {
  for_each_limit(resolved, [&](const limit& each) {
    if (!each.at_most || !each.at_least || *each.at_least <= *each.at_most) return;
    if (!seen.insert(each.pointer).second) return;
    problems.add(each.line, each.pointer,
                 fmt::format("at_least {} is above at_most {}{}; no reading could meet both",
                             format_exact(*each.at_least), format_exact(*each.at_most), where));
  });
}

struct named_bound {
  const limit* of = nullptr;
  std::optional<bytes> value;  // absent when the limit has no such bound
};

/// The bound that a history entry's pointer names: a limit's at_most, or one of its bounds.
named_bound find_bound(const budget& resolved, std::string_view pointer) {
  named_bound found;
  for_each_limit(resolved, [&](const limit& each) {
    if (pointer == each.pointer || pointer == each.pointer + "/at_most") {
      found = {&each, each.at_most};
    } else if (pointer == each.pointer + "/at_least") {
      found = {&each, each.at_least};
    }
  });
  return found;
}

bool is_lower_bound(std::string_view pointer) { return pointer.ends_with("/at_least"); }

/// Without the suffix that names the bound that a limit always has.
std::string_view short_pointer(std::string_view pointer) {
  constexpr std::string_view suffix = "/at_most";
  if (pointer.ends_with(suffix)) pointer.remove_suffix(suffix.size());
  return pointer;
}

void check_history(const json_node& root, const budget& read, const budget& resolved,
                   problem_list& problems) {
  const json_node* const node = root.find("history");
  if (node == nullptr || node->kind != json_kind::array) return;
  std::set<std::string_view> checked;
  for (std::size_t i = read.history.size(); i > 0; --i) {
    const history_entry& entry = read.history[i - 1];
    if (entry.limit.empty() || !checked.insert(short_pointer(entry.limit)).second) continue;
    const json_node& at = node->children[i - 1];
    // Limits of devices are compared as they are written: their envelope is another one.
    budget scope = resolved;
    for (const device_override& device : read.per_device) {
      if (!entry.limit.starts_with("/devices/" + pointer_step(device.device) + '/')) continue;
      scope = read.for_device(device.device, device.device);
    }
    const named_bound bound = find_bound(scope, entry.limit);
    if (bound.of == nullptr || (!bound.value && is_lower_bound(entry.limit))) {
      problems.add(at, fmt::format("the history names the limit {}, which is not in the file",
                                   quoted_text(entry.limit)));
    } else if (!bound.value && !bound.of->waived) {
      continue;  // the limit has a fault of its own
    } else if (bound.value != entry.to) {
      problems.add(
          bound.of->line, bound.of->pointer,
          fmt::format("the limit is {}, but its last history entry, in line {}, made it {}; change "
                      "limits with \"headroom update\", which writes the history",
                      bound.value ? format_exact(*bound.value) : std::string("waived"), at.line,
                      format_exact(entry.to)));
    }
  }
}

}  // namespace

void check_whole(const json_node& root, const budget& read, problem_list& problems) {
  const bool weights_fit = check_weights(root.find("weights"), read, problems);
  const bool reserve_fits = check_reserve(root, read, problems);
  if (!weights_fit || !reserve_fits || !fits(root, problems, [&] { return read.envelope(); })) {
    return;
  }
  std::set<std::string> seen;
  const budget resolved = read.for_device("", "");
  check_bounds(resolved, "", seen, problems);
  const json_node* const devices = root.find("devices");
  for (std::size_t i = 0; i < read.per_device.size(); ++i) {
    const device_override& device = read.per_device[i];
    const json_node& at = devices->children[i];
    budget local = read;
    if (device.reserve) local.reserve = *device.reserve;
    if (!check_reserve(at, local, problems)) return;
    if (!fits(at, problems, [&] { return local.envelope(); })) return;
    check_bounds(read.for_device(device.device, device.device),
                 fmt::format(" on {}", quoted_text(device.device)), seen, problems);
  }
  check_history(root, read, resolved, problems);
}

}  // namespace headroom::detail
