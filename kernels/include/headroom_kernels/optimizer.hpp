// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <headroom_kernels/ops/update.hpp>
#include <headroom_kernels/tensor.hpp>
#include <string_view>
#include <vector>

namespace headroom::kernels {

enum class optimizer_kind : unsigned char { sgd, adamw };
/// "sgd", "adamw"
[[nodiscard]] std::string_view name_of(optimizer_kind kind);
/// @throws usage_error with the optimizers there are
[[nodiscard]] optimizer_kind optimizer_from_name(std::string_view name);

struct optimizer_settings {
  optimizer_kind kind = optimizer_kind::adamw;
  double learning_rate = 1e-3;
  double momentum = 0.9;  ///< sgd
  double beta1 = 0.9;     ///< adamw, as what follows
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
};

/// Float32 tensors of a parameter's shape that an optimizer keeps for it: one for sgd, two for
/// adamw, and one more, the master weight, where the parameter is bfloat16.
[[nodiscard]] int state_tensors(optimizer_kind kind, dtype parameter);

/// Updates parameters from their gradients. The state of a parameter, tag `optimizer`, is allocated
/// in its first update and lives as long as the optimizer.
class optimizer {
 public:
  /// @param on          must outlive the optimizer
  /// @param parameters  how many there are
  optimizer(device& on, stream_id stream, const optimizer_settings& settings,
            std::size_t parameters);

  /// Begins the next step, in which each parameter is updated once.
  void begin_step() { ++step_; }
  /// Queues the update of a parameter.
  /// @param which     below the number of parameters
  /// @param weight    of one shape and type in each step
  /// @param gradient  float32, of weight's shape
  /// @throws out_of_memory for the state; nothing is changed then
  void update(std::size_t which, const tensor_view& weight, const tensor_view& gradient);

  /// The parameter where it is most exact: its master weight, or `weight` where it has none.
  [[nodiscard]] tensor_view most_exact(std::size_t which, const tensor_view& weight) const;
  [[nodiscard]] const optimizer_settings& settings() const { return settings_; }
  [[nodiscard]] std::int64_t steps() const { return step_; }

 private:
  struct state {
    tensor master;  ///< where the parameter is bfloat16
    tensor first;   ///< velocity, or mean
    tensor second;  ///< of adamw
  };
  void start(state& own, const tensor_view& weight);

  device& device_;
  stream_id stream_;
  optimizer_settings settings_;
  std::vector<state> states_;
  std::int64_t step_ = 0;
};

}  // namespace headroom::kernels
