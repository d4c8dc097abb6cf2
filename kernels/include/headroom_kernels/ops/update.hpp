// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/device/device.hpp>
#include <headroom_kernels/tensor.hpp>

namespace headroom::kernels {

/// The tensors of one parameter in an update. All have one shape.
struct updated_parameter {
  tensor_view weight;  ///< float32 or bfloat16
  tensor_view master;  ///< float32: the weight before rounding; no address where weight is float32
  tensor_view gradient;  ///< float32
};

/// Numbers of one step of gradient descent with momentum.
struct sgd_step {
  float learning_rate = 0.0F;
  float momentum = 0.0F;
};

/// Numbers of one step of Adam with weight decay apart from the gradient, each worked out once.
struct adamw_step {
  float keep = 1.0F;          ///< 1 - learning rate x weight decay
  float mean_keep = 0.0F;     ///< beta1
  float mean_take = 1.0F;     ///< 1 - beta1
  float square_keep = 0.0F;   ///< beta2
  float square_take = 1.0F;   ///< 1 - beta2
  float rate = 0.0F;          ///< learning rate / (1 - beta1^t) in step t, from 1
  float square_scale = 1.0F;  ///< 1 / sqrt(1 - beta2^t)
  float epsilon = 0.0F;
};

/// Queues velocity = momentum velocity + gradient; weight -= learning_rate velocity.
/// @param velocity  float32
/// @throws usage_error when shapes or types do not fit
void sgd_update(device& on, stream_id stream, const updated_parameter& parameter,
                const tensor_view& velocity, const sgd_step& step);

/// Queues mean = mean_keep mean + mean_take gradient, the same for square with gradient^2, then
/// weight = keep weight - rate mean / (square_scale sqrt(square) + epsilon).
/// @param mean, square  float32
/// @throws usage_error when shapes or types do not fit
void adamw_update(device& on, stream_id stream, const updated_parameter& parameter,
                  const tensor_view& mean, const tensor_view& square, const adamw_step& step);

}  // namespace headroom::kernels
