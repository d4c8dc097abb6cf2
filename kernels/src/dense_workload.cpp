// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <array>
#include <headroom_kernels/dense_workload.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <utility>

#include "dense_description.hpp"

namespace headroom::kernels {
namespace {

constexpr std::array<std::string_view, 4> dimension_names{"batch", "context", "width", "layers"};
constexpr std::array<std::string_view, 1> option_names{workspace_option};

workload_description checked(workload_description of) {
  check_dense_names(of, "forward", dimension_names, option_names);
  return of;
}

}  // namespace

dense_workload::dense_workload(workload_description description)
    : description_(checked(std::move(description))),
      dims_(read_dense_shape(description_)),
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
