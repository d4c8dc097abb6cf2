// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/ops/update.hpp>

#include <cmath>
#include <headroom_kernels/launch.hpp>

#include "../dispatch.hpp"
#include "refuse.hpp"

namespace headroom::kernels {
namespace {

/// The weight where it is most exact.
template <class T>
struct stored_weight {
  T* weight;
  float* master;  // null where weight is float32

  [[nodiscard]] HEADROOM_HOST_DEVICE float read(std::int64_t i) const {
    return master != nullptr ? master[i] : widen(weight[i]);
  }
  HEADROOM_HOST_DEVICE void write(std::int64_t i, float value) const {
    if (master != nullptr) master[i] = value;
    weight[i] = narrow<T>(value);
  }
};

template <class T>
struct sgd_kernel {
  stored_weight<T> weight;
  const float* gradient;
  float* velocity;
  sgd_step step;

  HEADROOM_HOST_DEVICE void operator()(std::int64_t i) const {
    const float moved = step.momentum * velocity[i] + gradient[i];
    velocity[i] = moved;
    weight.write(i, weight.read(i) - step.learning_rate * moved);
  }
};

template <class T>
struct adamw_kernel {
  stored_weight<T> weight;
  const float* gradient;
  float* mean;
  float* square;
  adamw_step step;

  HEADROOM_HOST_DEVICE void operator()(std::int64_t i) const {
    const float g = gradient[i];
    const float m = step.mean_keep * mean[i] + step.mean_take * g;
    const float v = step.square_keep * square[i] + step.square_take * g * g;
    mean[i] = m;
    square[i] = v;
    const float size = step.square_scale * std::sqrt(v) + step.epsilon;
    weight.write(i, step.keep * weight.read(i) - step.rate * m / size);
  }
};

void check(std::string_view operation, const updated_parameter& p, const tensor_view& state) {
  const bool same = p.weight.dims == p.gradient.dims && p.weight.dims == state.dims;
  const bool types = p.gradient.type == dtype::float32 && state.type == dtype::float32;
  const bool master = p.weight.type == dtype::float32
                          ? p.master.address == nullptr
                          : p.master.type == dtype::float32 && p.master.dims == p.weight.dims;
  if (same && types && master) return;
  refuse(operation,
         {{"weight", p.weight}, {"master", p.master}, {"gradient", p.gradient}, {"state", state}},
         "give all the weight's shape, in float32; a master only where the weight is bfloat16");
}

}  // namespace

void sgd_update(device& on, stream_id stream, const updated_parameter& parameter,
                const tensor_view& velocity, const sgd_step& step) {
  check("sgd_update", parameter, velocity);
  with_element(parameter.weight.type, [&]<class T>(T*) {
    launch_elements(
        on, stream, parameter.weight.dims.elements(),
        sgd_kernel<T>{{elements_of<T>(parameter.weight), elements_of<float>(parameter.master)},
                      elements_of<float>(parameter.gradient),
                      elements_of<float>(velocity),
                      step});
  });
}

void adamw_update(device& on, stream_id stream, const updated_parameter& parameter,
                  const tensor_view& mean, const tensor_view& square, const adamw_step& step) {
  check("adamw_update", parameter, mean);
  check("adamw_update", parameter, square);
  with_element(parameter.weight.type, [&]<class T>(T*) {
    launch_elements(
        on, stream, parameter.weight.dims.elements(),
        adamw_kernel<T>{{elements_of<T>(parameter.weight), elements_of<float>(parameter.master)},
                        elements_of<float>(parameter.gradient),
                        elements_of<float>(mean),
                        elements_of<float>(square),
                        step});
  });
}

}  // namespace headroom::kernels
