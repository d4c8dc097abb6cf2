// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "dense_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <headroom/core/card.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <optional>
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

/// Reads the whole text or nothing.
template <class Number>
std::optional<Number> number_from(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [read_to, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || read_to != end) return std::nullopt;
  return number;
}

std::int64_t read_adapter_rank(const workload_description& of, std::int64_t width) {
  const auto text = of.find_option(adapters_option);
  if (!text) return 0;
  const auto rank = number_from<std::int64_t>(*text);
  if (rank && *rank >= 1 && *rank <= width) return *rank;
  throw usage_error(fmt::format(
      "{} is {}; give the adapters' rank, from 1 to the width {}, for example \"{}\", or leave the "
      "option out to train all weights",
      adapters_option, quoted_text(*text), width, std::min<std::int64_t>(8, width)));
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
  dense_shape dims{read_dense_size(of, "batch"), read_dense_size(of, "context"),
                   read_dense_size(of, "width"), read_dense_size(of, "layers"),
                   dtype_from_name(of.dtype)};
  dims.adapter_rank = read_adapter_rank(of, dims.width);
  return dims;
}

float read_adapter_scale(const workload_description& of) {
  if (of.find_option(adapter_scale_option) && !of.find_option(adapters_option)) {
    throw usage_error(
        fmt::format("{} is given without adapters; give their rank as well, for "
                    "example {} \"8\", or leave the scale out",
                    adapter_scale_option, adapters_option));
  }
  return static_cast<float>(read_number(of, adapter_scale_option, 1.0));
}

double read_number(const workload_description& of, std::string_view option, double otherwise) {
  const auto text = of.find_option(option);
  if (!text) return otherwise;
  const auto number = number_from<double>(*text);
  if (number && *number > 0.0 && std::isfinite(*number)) return *number;
  throw usage_error(fmt::format("{} is {}; give a number above 0, for example \"{}\"", option,
                                quoted_text(*text), otherwise));
}

std::vector<std::pair<std::string, std::string>> adapter_settings(const dense_shape& dims,
                                                                  float scale) {
  if (!dims.adapted()) return {};
  return {{std::string(adapters_option), fmt::format("{}", dims.adapter_rank)},
          {std::string(adapter_scale_option), fmt::format("{}", scale)}};
}

bytes read_workspace(const workload_description& of) {
  const auto text = of.find_option(workspace_option);
  if (!text) return matrix_library::default_workspace;
  if (const std::optional<card> named = find_card(*text)) return named->workspace.value;
  const bool begins_as_a_name =
      !text->empty() && std::isalpha(static_cast<unsigned char>(text->front())) != 0;
  if (begins_as_a_name) {
    throw usage_error(
        fmt::format("{} is \"{}\"; give a size, or a card for what its matrix library "
                    "is given: {}",
                    workspace_option, *text, advice_for_card(*text)));
  }
  const bytes size = size_from_text(*text);
  if (size < bytes{1}) {
    throw usage_error(fmt::format("{} is \"{}\"; give 1 B or more", workspace_option, *text));
  }
  return size;
}

}  // namespace headroom::kernels
