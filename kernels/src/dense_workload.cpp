// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom_kernels/dense_workload.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <limits>
#include <utility>

namespace headroom::kernels {
namespace {

constexpr std::array<std::string_view, 4> dimension_names{"batch", "context", "width", "layers"};
constexpr std::string_view workspace_option = "matrix_workspace";
// The inputs' seed is that of a tensor which no network has.
constexpr std::uint64_t input_number = std::numeric_limits<std::uint64_t>::max() - 1;

std::int64_t size_named(const workload_description& of, std::string_view name) {
  const auto size = of.requested.find(name);
  if (!size) {
    throw usage_error(
        fmt::format("the workload \"dense\" has no size for \"{}\"; give batch, context, width and "
                    "layers, each 1 "
                    "or more",
                    name));
  }
  if (*size < 1) {
    throw usage_error(
        fmt::format("the workload \"dense\" has {} = {}; give 1 or more", name, *size));
  }
  return *size;
}

dense_shape read_shape(const workload_description& of) {
  if (of.operation != "forward") {
    throw usage_error(fmt::format(
        "the workload \"dense\" has no operation \"{}\"; write \"forward\"", of.operation));
  }
  for (const auto& [name, size] : of.requested.entries()) {
    if (std::find(dimension_names.begin(), dimension_names.end(), name) == dimension_names.end()) {
      throw usage_error(fmt::format(
          "the workload \"dense\" has no dimension \"{}\"; it has batch, context, width and layers",
          name));
    }
  }
  return {size_named(of, "batch"), size_named(of, "context"), size_named(of, "width"),
          size_named(of, "layers"), dtype_from_name(of.dtype)};
}

bytes read_workspace(const workload_description& of) {
  for (const auto& [name, value] : of.options) {
    if (name != workspace_option) {
      throw usage_error(fmt::format("the workload \"dense\" has no option \"{}\"; it has \"{}\"",
                                    name, workspace_option));
    }
  }
  const auto text = of.find_option(workspace_option);
  if (!text) return matrix_library::default_workspace;
  const bytes size = size_from_text(*text);
  if (size < bytes{1}) {
    throw usage_error(fmt::format("{} is \"{}\"; give 1 B or more", workspace_option, *text));
  }
  return size;
}

}  // namespace

dense_workload::dense_workload(workload_description description)
    : description_(std::move(description)),
      dims_(read_shape(description_)),
      workspace_(read_workspace(description_)) {
  // Sizes that cannot be had are refused here, before anything is allocated.
  static_cast<void>(dims_.parameters());
  static_cast<void>(plan());
}

void dense_workload::load(run_context& run) {
  products_ = std::make_unique<matrix_library>(run.device(), stream_id{}, workspace_);
  network_.emplace(run.device(), stream_id{}, dims_, description_.seed);
}

void dense_workload::make_inputs(run_context& run) {
  input_ = tensor(run.device(), stream_id{}, dims_.activation(), dims_.type, tag::inputs);
  fill_uniform(run.device(), stream_id{}, input_, seed_of(description_.seed, input_number), 1.0F);
}

void dense_workload::run_pass(run_context& /*run*/) {
  output_ = {};
  output_ = network_->forward(*products_, input_);
}

std::vector<std::pair<std::string, std::string>> dense_workload::settings() const {
  return {{std::string(workspace_option), fmt::format("{} B", workspace_.n)}};
}

}  // namespace headroom::kernels
