// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/series/workload_registry.hpp>

namespace headroom {
namespace {

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

void check_name(std::string_view workload, std::string_view what, std::string_view name) {
  if (is_plain_name(name)) return;
  throw usage_error(
      fmt::format("workload {}: the {} {} cannot be an option; write its name with a-z, 0-9 and _, "
                  "a letter first",
                  quoted_text(workload), what, quoted_text(name)));
}

}  // namespace

void workload_registry::add(workload_entry entry) {
  const auto refuse = [&](std::string_view why) {
    throw usage_error(fmt::format("workload {}: {}", quoted_text(entry.name), why));
  };
  if (entry.name.empty()) refuse("it has no name");
  if (entry.operations.empty()) refuse("it has no operation; give one, for example \"forward\"");
  if (entry.dtypes.empty()) refuse("it has no dtype; give one, for example \"float32\"");
  if (!entry.make) refuse("it cannot be made; give the function make");
  for (const workload_entry& known : entries_) {
    if (known.name == entry.name) refuse("there is one of that name already");
  }
  for (const dimension_entry& each : entry.dimensions) {
    check_name(entry.name, "dimension", each.name);
  }
  for (const option_entry& each : entry.options) check_name(entry.name, "option", each.name);
  entries_.push_back(std::move(entry));
}

std::vector<std::string_view> workload_registry::names() const {
  std::vector<std::string_view> result;
  for (const workload_entry& each : entries_) result.push_back(each.name);
  return result;
}

const workload_entry& workload_registry::at(std::string_view name) const {
  for (const workload_entry& each : entries_) {
    if (each.name == name) return each;
  }
  if (entries_.empty()) {
    throw usage_error(
        fmt::format("there is no workload {}: this program has none", quoted_text(name)));
  }
  const std::vector<std::string_view> known = names();
  const std::string_view nearest = nearest_name(name, known);
  throw usage_error(fmt::format("there is no workload {}; {}", quoted_text(name),
                                nearest.empty()
                                    ? fmt::format("there is {}", list_of(known))
                                    : fmt::format("there is {}", quoted_text(nearest))));
}

std::unique_ptr<workload> workload_registry::make(const workload_description& description) const {
  return at(description.name).make(description);
}

}  // namespace headroom
