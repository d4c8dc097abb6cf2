// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/workload.hpp>
#include <headroom_kernels/dense_forward_plan.hpp>
#include <headroom_kernels/dense_network.hpp>
#include <memory>
#include <optional>

namespace headroom::kernels {

/// The workload "dense": operation "forward", dimensions batch, context, width and layers, dtype
/// "float32" or "bfloat16". Options: "matrix_workspace", a size (default "8 MiB"); "adapters", the
/// rank of adapters (default none), and "adapter_scale" (default "1").
class dense_workload : public workload {
 public:
  /// @throws usage_error that says what to write, for anything the workload does not know
  explicit dense_workload(workload_description description);

  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "forward"; }
  void touch(run_context& run) override;
  void load(run_context& run) override;
  void make_inputs(run_context& run) override;
  /// The output of the pass before is given back first; the new one is kept.
  void run_pass(run_context& run) override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings() const override;

  [[nodiscard]] const dense_shape& dims() const { return dims_; }
  [[nodiscard]] dense_forward_plan plan() const { return plan_dense_forward(dims_, workspace_); }
  /// Empty before load.
  [[nodiscard]] const std::optional<dense_network>& network() const { return network_; }
  [[nodiscard]] const tensor& input() const { return input_; }    ///< [batch, context, width]
  [[nodiscard]] const tensor& output() const { return output_; }  ///< [batch, context, width]

 private:
  workload_description description_;
  dense_shape dims_;
  bytes workspace_;
  float adapter_scale_;
  std::unique_ptr<matrix_library> products_;
  std::optional<dense_network> network_;
  tensor input_;
  tensor output_;
};

}  // namespace headroom::kernels
