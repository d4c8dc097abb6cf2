// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <array>
#include <headroom_kernels/dense_workload.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <headroom_kernels/touch.hpp>
#include <utility>

#include "dense_description.hpp"

namespace headroom::kernels {
namespace {

constexpr std::array<std::string_view, 4> dimension_names{"batch", "context", "width", "layers"};
constexpr std::array<std::string_view, 3> option_names{adapters_option, adapter_scale_option,
                                                       workspace_option};

workload_description checked(workload_description of) {
  check_dense_names(of, "forward", dimension_names, option_names);
  return of;
}

}  // namespace

dense_workload::dense_workload(workload_description description)
    : description_(checked(std::move(description))),
      dims_(read_dense_shape(description_)),
      workspace_(read_workspace(description_)),
      adapter_scale_(read_adapter_scale(description_)) {
  // Sizes that cannot be had are refused here, before anything is allocated.
  static_cast<void>(dims_.parameters());
  static_cast<void>(plan());
}

void dense_workload::touch(run_context& run) {
  for (device* each : run.devices()) touch_libraries(*each, dims_.type, workspace_);
}

void dense_workload::load(run_context& run) {
  products_ = std::make_unique<matrix_library>(run.device(), stream_id{}, workspace_);
  network_.emplace(run.device(), stream_id{}, dims_, description_.seed, adapter_scale_);
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
  auto made = adapter_settings(dims_, adapter_scale_);
  made.emplace_back(workspace_option, fmt::format("{} B", workspace_.n));
  return made;
}

}  // namespace headroom::kernels
