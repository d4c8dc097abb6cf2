// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "dense_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <string>

namespace headroom::kernels {
namespace {

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "batch, context and width"
std::string listed(std::span<const std::string_view> names) {
  return fmt::format("{} and {}", fmt::join(names.first(names.size() - 1), ", "), names.back());
}

}  // namespace

void check_dense_names(const workload_description& of, std::string_view operation,
                       std::span<const std::string_view> dimensions,
                       std::span<const std::string_view> options) {
  if (of.operation != operation) {
    throw usage_error(fmt::format(
        "the workload \"dense\" has no operation \"{}\"; write \"forward\" or \"train\"",
        of.operation));
  }
  for (const auto& [name, size] : of.requested.entries()) {
    if (!contains(dimensions, name)) {
      throw usage_error(fmt::format("the workload \"dense\" has no dimension \"{}\"; it has {}",
                                    name, listed(dimensions)));
    }
  }
  for (const auto& [name, value] : of.options) {
    if (!contains(options, name)) {
      throw usage_error(fmt::format("the workload \"dense\" has no option \"{}\"; it has \"{}\"",
                                    name, fmt::join(options, "\", \"")));
    }
  }
}

std::int64_t read_dense_size(const workload_description& of, std::string_view name) {
  const auto size = of.requested.find(name);
  if (!size) {
    throw usage_error(
        fmt::format("the workload \"dense\" has no size for \"{}\"; give batch, context, width and "
                    "layers, each 1 or more",
                    name));
  }
  if (*size < 1) {
    throw usage_error(
        fmt::format("the workload \"dense\" has {} = {}; give 1 or more", name, *size));
  }
  return *size;
}

dense_shape read_dense_shape(const workload_description& of) {
  return {read_dense_size(of, "batch"), read_dense_size(of, "context"),
          read_dense_size(of, "width"), read_dense_size(of, "layers"), dtype_from_name(of.dtype)};
}

bytes read_workspace(const workload_description& of) {
  const auto text = of.find_option(workspace_option);
  if (!text) return matrix_library::default_workspace;
  const bytes size = size_from_text(*text);
  if (size < bytes{1}) {
    throw usage_error(fmt::format("{} is \"{}\"; give 1 B or more", workspace_option, *text));
  }
  return size;
}

}  // namespace headroom::kernels
