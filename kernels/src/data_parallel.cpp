// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/data_parallel.hpp>
#include <initializer_list>

namespace headroom::kernels {

void reduce_gradients(std::span<const dense_trainer* const> trainers, reduction& by,
                      const device_observer& at) {
  using gradient = dense_trainer::gradient;
  std::vector<void*> parts(trainers.size());
  // Backward makes the last layer's gradients first.
  for (std::size_t behind = trainers.front()->gradients().size(); behind > 0; --behind) {
    for (const auto of : {&gradient::weight, &gradient::bias, &gradient::down, &gradient::up}) {
      const tensor& first = trainers.front()->gradients()[behind - 1].*of;
      if (first.address() == nullptr) continue;  // of a parameter that is frozen
      for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i] = (trainers[i]->gradients()[behind - 1].*of).address();
      }
      by.add_up(parts, static_cast<std::size_t>(first.dims().elements()), stream_id{}, at);
    }
  }
}

}  // namespace headroom::kernels
