// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "workload_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/core/json_fields.hpp>
#include <headroom/core/quoted_text.hpp>

#include "option_values.hpp"

namespace headroom::cli {
namespace {

constexpr std::uint64_t usual_seed = 1234;  // that of the shipped budgets

template <class Entries>
const typename Entries::value_type* find_entry(const Entries& entries, std::string_view name) {
  const auto at = std::find_if(entries.begin(), entries.end(),
                               [&](const auto& each) { return each.name == name; });
  return at == entries.end() ? nullptr : &*at;
}

template <class Entries>
std::string instead_of(std::string_view name, const Entries& entries) {
  std::vector<std::string_view> names;
  for (const auto& each : entries) names.push_back(each.name);
  const std::string_view nearest = nearest_name(name, names);
  if (!nearest.empty()) return fmt::format("write \"{}\"", nearest);
  return names.empty() ? "it has none" : "it has " + list_of(names);
}

void add_option(CLI::App& options, const std::string& workload, const std::string& name,
                std::optional<std::string>& into, const std::string& what, const char* type) {
  try {
    options.add_option(option_name(name), into, what)->type_name(type);
  } catch (const CLI::OptionAlreadyAdded&) {
    throw usage_error(
        fmt::format("the workload {} calls something {}, which is an option of the "
                    "program; give it another name",
                    quoted_text(workload), quoted_text(name)));
  }
}

std::string refuse_other(std::string_view option, std::string_view given, const budget& against,
                         std::string_view wanted) {
  return fmt::format("{} {}: the budget {} is for {}; leave the option out, or name another budget",
                     option, quoted_text(given), against.file, quoted_text(wanted));
}

}  // namespace

void workload_options::declare(CLI::App& options) {
  const auto& entries = program_.workloads.entries();
  std::vector<std::string_view> names = program_.workloads.names();
  options
      .add_option("--workload", workload_, fmt::format("what is run: {}", fmt::join(names, ", ")))
      ->type_name("NAME");
  std::vector<std::string> operations;
  std::vector<std::string> dtypes;
  const auto gather = [](std::vector<std::string>& into, const std::vector<std::string>& from) {
    for (const std::string& each : from) {
      if (std::find(into.begin(), into.end(), each) == into.end()) into.push_back(each);
    }
  };
  for (const workload_entry& entry : entries) {
    gather(operations, entry.operations);
    gather(dtypes, entry.dtypes);
  }
  options.add_option("--operation", operation_, fmt::format("{}", fmt::join(operations, ", ")))
      ->type_name("NAME");
  options.add_option("--dtype", dtype_, fmt::format("{}", fmt::join(dtypes, ", ")))
      ->type_name("NAME");
  options.add_option("--seed", seed_, fmt::format("default {}", usual_seed))->type_name("N");
  for (const workload_entry& entry : entries) {
    for (const dimension_entry& each : entry.dimensions) {
      if (dimensions_.contains(each.name)) continue;
      add_option(options, entry.name, each.name, dimensions_[each.name], each.what, "N");
    }
  }
  for (const workload_entry& entry : entries) {
    for (const option_entry& each : entry.options) {
      if (choices_.contains(each.name)) continue;
      add_option(options, entry.name, each.name, choices_[each.name], each.what, "TEXT");
    }
  }
}

const workload_entry& workload_options::chosen(const budget* against) const {
  if (workload_) return program_.workloads.at(*workload_);
  if (against != nullptr) return program_.workloads.at(against->workload.name);
  const std::vector<std::string_view> names = program_.workloads.names();
  if (names.size() == 1) return program_.workloads.entries().front();
  throw usage_error(names.empty()
                        ? std::string("this program has no workload")
                        : fmt::format("--workload is missing; there is {}", list_of(names)));
}

void workload_options::set_dimensions(const workload_entry& entry, std::string_view varied,
                                      workload_description& work) const {
  if (!varied.empty() && find_entry(entry.dimensions, varied) == nullptr) {
    throw usage_error(fmt::format("--vary {}: the workload {} has no such dimension; {}",
                                  quoted_text(varied), quoted_text(entry.name),
                                  instead_of(varied, entry.dimensions)));
  }
  for (const auto& [name, text] : dimensions_) {
    if (!text || find_entry(entry.dimensions, name) != nullptr) continue;
    throw usage_error(fmt::format("{}: the workload {} has no such dimension; {}",
                                  option_name(name), quoted_text(entry.name),
                                  instead_of(name, entry.dimensions)));
  }
  for (const dimension_entry& each : entry.dimensions) {
    const std::optional<std::string>& text = dimensions_.at(each.name);
    if (each.name == varied && text) {
      throw usage_error(fmt::format("{} and --vary {}: a dimension is fixed or varied, not both",
                                    option_name(each.name), each.name));
    }
    if (text) work.requested.set(each.name, whole_number(option_name(each.name), *text, 1));
    if (!work.requested.find(each.name) && each.required && each.name != varied) {
      throw usage_error(fmt::format("{} is missing; it is {}", option_name(each.name), each.what));
    }
  }
}

void workload_options::set_choices(const workload_entry& entry, workload_description& work) const {
  for (const auto& [name, text] : choices_) {
    if (!text) continue;
    if (find_entry(entry.options, name) == nullptr) {
      throw usage_error(fmt::format("{}: the workload {} has no such option; {}", option_name(name),
                                    quoted_text(entry.name), instead_of(name, entry.options)));
    }
    const auto known =
        std::find_if(work.options.begin(), work.options.end(),
                     [&, &key = name](const auto& each) { return each.first == key; });
    if (known == work.options.end()) {
      work.options.emplace_back(name, *text);
    } else {
      known->second = *text;
    }
  }
}

void workload_options::agree(const workload_description& work, const budget& against,
                             bool other_sizes) const {
  const workload_description& wanted = against.workload;
  const auto same = [&](std::string_view option, const std::string& is, const std::string& should) {
    if (is != should) throw usage_error(refuse_other(option, is, against, should));
  };
  same("--workload", work.name, wanted.name);
  same("--operation", work.operation, wanted.operation);
  same("--dtype", work.dtype, wanted.dtype);
  same("--seed", std::to_string(work.seed), std::to_string(wanted.seed));
  for (const auto& [name, value] : work.requested.entries()) {
    const auto should = wanted.requested.find(name);
    if (other_sizes || should == value) continue;
    throw usage_error(refuse_other(option_name(name), std::to_string(value), against,
                                   should ? std::to_string(*should) : "none") +
                      "; --other-sizes takes its limits all the same");
  }
  for (const auto& [name, value] : work.options) {
    same(option_name(name), value, wanted.find_option(name).value_or("none"));
  }
}

workload_description workload_options::describe(const budget* against, bool other_sizes,
                                                std::string_view varied) const {
  const workload_entry& entry = chosen(against);
  workload_description work;
  if (against != nullptr && against->workload.name == entry.name) work = against->workload;
  work.name = entry.name;
  work.revision = entry.revision;
  if (operation_) work.operation = one_of("--operation", *operation_, entry.operations);
  if (work.operation.empty()) work.operation = entry.operations.front();
  if (dtype_) work.dtype = one_of("--dtype", *dtype_, entry.dtypes);
  if (work.dtype.empty()) work.dtype = entry.dtypes.front();
  if (seed_) work.seed = seed_number("--seed", *seed_);
  if (!seed_ && against == nullptr) work.seed = usual_seed;
  set_dimensions(entry, varied, work);
  set_choices(entry, work);
  if (against != nullptr) agree(work, *against, other_sizes);
  return work;
}

std::vector<std::string> workload_arguments(const workload_description& work) {
  std::vector<std::string> arguments{
      "--workload", work.name,  "--operation", work.operation,
      "--dtype",    work.dtype, "--seed",      std::to_string(work.seed)};
  for (const auto& [name, value] : work.requested.entries()) {
    arguments.push_back(option_name(name) + "=" + std::to_string(value));
  }
  for (const auto& [name, value] : work.options) {
    arguments.push_back(option_name(name) + "=" + value);
  }
  return arguments;
}

}  // namespace headroom::cli
