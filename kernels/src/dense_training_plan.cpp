// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <headroom_kernels/dense_training_plan.hpp>

#include "checked_sizes.hpp"

namespace headroom::kernels {
namespace {

using keeping = checkpoint_policy::keeping;

bytes float_block(const shape& dims) {
  return round_up(storage_of(dims, dtype::float32), allocator_block);
}

/// The level of allocated bytes while a step is walked through, and its peak since a phase began.
class level {
 public:
  explicit level(bytes now) : now_(now), peak_(now) {}
  void take(bytes size) {
    now_ += size;
    peak_ = std::max(peak_, now_);
  }
  void give(bytes size) { now_ -= size; }
  /// Ends a phase and begins the next.
  phase_plan end_phase() {
    const phase_plan ended{peak_, now_};
    peak_ = now_;
    return ended;
  }

 private:
  bytes now_;
  bytes peak_;
};

void add_worse(phase_plan& known, const phase_plan& other) {
  known = {std::max(known.peak, other.peak), std::max(known.end, other.end)};
}

void walk_loss(level& now, const dense_training_shape& of) {
  const std::int64_t rows = of.microbatch.activation().rows();
  const bytes temporary = float_block({{"rows", rows}}) + float_block({{"sum", 1}});
  now.take(temporary);
  now.give(temporary);
}

/// Takes and gives in the order of dense_trainer.
class step_walk {
 public:
  step_walk(const dense_training_shape& of, const dense_training_sizes& sizes, bool cold)
      : of_(of),
        sizes_(sizes),
        cold_(cold),
        layers_(of.microbatch.layers),
        activation_(sizes.activation),
        projection_(sizes.projection),
        first_gradient_(float_block(of.microbatch.trained()[0])),
        second_gradient_(float_block(of.microbatch.trained()[1])),
        now_(cold ? sizes.weights + sizes.inputs : sizes.between_steps()) {}

  dense_step_plan walk() {
    dense_step_plan plan;
    for (std::int64_t i = 0; i < of_.microbatches; ++i) {
      forward(cold_ && i == 0);
      add_worse(plan.forward, now_.end_phase());
      walk_loss(now_, of_);
      add_worse(plan.loss, now_.end_phase());
      backward(i == 0);
      add_worse(plan.backward, now_.end_phase());
    }
    update();
    plan.update = now_.end_phase();
    return plan;
  }

 private:
  void forward(bool first) {
    const checkpoint_policy& policy = of_.checkpointing;
    for (std::int64_t layer = 0; layer < layers_; ++layer) {
      now_.take(activation_);
      if (first && layer == 0) now_.take(sizes_.workspace);
      now_.take(projection_);
      if (layer > 0 && !policy.keeps_input(layer)) now_.give(activation_);
      if (policy.keeps_product()) {
        now_.take(activation_);
      } else {
        now_.give(projection_);
      }
    }
  }

  void backward(bool first) {
    const checkpoint_policy& policy = of_.checkpointing;
    const std::int64_t segment =
        policy.keeps == keeping::segments ? policy.segment_layers : layers_;
    for (std::int64_t behind = layers_; behind > 0;) {
      const std::int64_t begin = (behind - 1) / segment * segment;
      if (policy.keeps == keeping::segments) run_again(behind - begin);
      for (; behind > begin; --behind) layer_backward(behind - 1, first);
    }
  }

  /// All products stay; between two of them there is the input of the second.
  void run_again(std::int64_t layers) {
    now_.take(layers * (activation_ + projection_));
    if (layers == 1) return;
    now_.take(activation_);
    now_.give(activation_);
  }

  void layer_backward(std::int64_t layer, bool first) {
    now_.give(
        activation_);  // the product's sum; its projection is replaced by the projection's gradient
    const bool computed = layer > 0 && !of_.checkpointing.keeps_input(layer);
    if (first) now_.take(second_gradient_);
    if (computed) now_.take(activation_);
    if (first) now_.take(first_gradient_);
    if (layer > 0) now_.give(activation_);  // the input
    if (layer > 0) now_.take(activation_);  // its gradient
    now_.give(activation_ + projection_);   // the output's gradient, and the projection's
  }

  void update() {
    const bytes gradient = first_gradient_ + second_gradient_;
    const int states = state_tensors(of_.optimizer, of_.microbatch.type);
    for (std::int64_t layer = 0; layer < layers_; ++layer) {
      if (cold_) now_.take(states * gradient);
      now_.give(gradient);
    }
  }

  const dense_training_shape& of_;
  const dense_training_sizes& sizes_;
  bool cold_;
  std::int64_t layers_;
  bytes activation_;
  bytes projection_;
  bytes first_gradient_;  // of a layer's trained tensors
  bytes second_gradient_;
  level now_;
};

/// Forward and loss on a batch of their own, of one microbatch; nothing is kept.
void walk_evaluation(level& now, const dense_training_shape& of,
                     const dense_training_sizes& sizes) {
  dense_training_shape one = of;
  one.microbatches = 1;
  const bytes inputs = size_dense_training(one).inputs;
  const bytes output = sizes.activation;
  const bytes beside = sizes.projection + (of.microbatch.layers > 1 ? sizes.activation : bytes{});
  now.take(inputs);
  now.take(output + beside);
  now.give(beside);
  walk_loss(now, of);
  now.give(inputs + output);
}

}  // namespace

bytes dense_step_plan::peak() const {
  return std::max({forward.peak, loss.peak, backward.peak, update.peak});
}

dense_training_plan plan_dense_training(const dense_training_shape& of) {
  dense_training_plan plan;
  plan.sizes = size_dense_training(of);
  plan.cold = step_walk(of, plan.sizes, true).walk();
  plan.warm = step_walk(of, plan.sizes, false).walk();

  level now(plan.sizes.between_steps());
  walk_evaluation(now, of, plan.sizes);
  plan.evaluate = now.end_phase();
  now.take(plan.sizes.staging);
  now.give(plan.sizes.staging);
  plan.export_weights = now.end_phase();
  return plan;
}

}  // namespace headroom::kernels
