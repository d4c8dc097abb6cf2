// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom_kernels/dense_training_plan.hpp>

namespace headroom::kernels {
namespace {

using keeping = checkpoint_policy::keeping;

constexpr bytes allocator_block{512};

/// Sums and products of sizes that remember whether one did not fit 64 bits.
class checked_sizes {
 public:
  bytes times(bytes each, std::int64_t count) {
    bytes product;
    fits_ = checked_multiply(each.n, count, product.n) && fits_;
    return product;
  }
  bytes plus(bytes a, bytes b) {
    bytes sum;
    fits_ = checked_add(a.n, b.n, sum.n) && fits_;
    return sum;
  }
  bytes block(bytes size) {
    static_cast<void>(plus(size, allocator_block));
    return fits_ ? round_up(size, allocator_block) : bytes{};
  }
  [[nodiscard]] bool fits() const { return fits_; }

 private:
  bool fits_ = true;
};

std::int64_t rows_of(const dense_training_shape& of) { return of.microbatch.activation().rows(); }

bytes float_row(std::int64_t count) {
  return round_up(bytes{count * size_of(dtype::float32).n}, allocator_block);
}

/// Float32 weight and bias of a layer: a gradient, or one tensor each of the optimizer's state.
bytes float_layer(const dense_shape& dims) {
  return float_row(dims.width * dims.width) + float_row(dims.width);
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

/// Activations beside the kept ones when those are most: the output or its gradient, and in a
/// segment of several layers that runs again the input of the layer that runs.
std::int64_t beside_kept(const checkpoint_policy& policy) {
  return policy.keeps == keeping::segments && policy.segment_layers > 1 ? 2 : 1;
}

class step_walk {
 public:
  step_walk(const dense_training_shape& of, const dense_training_sizes& sizes, bool cold)
      : of_(of),
        sizes_(sizes),
        cold_(cold),
        layers_(of.microbatch.layers),
        a_(sizes.activation),
        now_(cold ? sizes.weights + sizes.inputs : sizes.between_steps()) {}

  dense_step_plan walk() {
    dense_step_plan plan;
    for (std::int64_t i = 0; i < of_.microbatches; ++i) {
      forward(cold_ && i == 0);
      add_worse(plan.forward, now_.end_phase());
      loss(now_, rows_of(of_));
      add_worse(plan.loss, now_.end_phase());
      backward(i == 0);
      add_worse(plan.backward, now_.end_phase());
    }
    update();
    plan.update = now_.end_phase();
    return plan;
  }

  static void loss(level& now, std::int64_t rows) {
    now.take(float_row(rows) + float_row(1));
    now.give(float_row(rows) + float_row(1));
  }

 private:
  void forward(bool first) {
    const checkpoint_policy& policy = of_.checkpointing;
    for (std::int64_t layer = 0; layer < layers_; ++layer) {
      now_.take(a_);
      if (first && layer == 0) now_.take(sizes_.workspace);
      if (layer > 0 && !policy.keeps_input(layer)) now_.give(a_);
      if (policy.keeps_product()) now_.take(a_);
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
    now_.take(layers * a_);
    if (layers == 1) return;
    now_.take(a_);
    now_.give(a_);
  }

  void layer_backward(std::int64_t layer, bool first) {
    now_.give(a_);  // the product
    const bool computed = layer > 0 && !of_.checkpointing.keeps_input(layer);
    if (first) now_.take(float_row(of_.microbatch.width));
    if (computed) now_.take(a_);
    if (first) now_.take(float_row(of_.microbatch.width * of_.microbatch.width));
    if (layer > 0) now_.give(a_);  // the input
    if (layer > 0) now_.take(a_);  // its gradient
    now_.give(a_);                 // the output's gradient
  }

  void update() {
    const bytes gradient = float_layer(of_.microbatch);
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
  bytes a_;
  level now_;
};

}  // namespace

bytes dense_step_plan::peak() const {
  return std::max({forward.peak, loss.peak, backward.peak, update.peak});
}

dense_training_sizes size_dense_training(const dense_training_shape& of) {
  const dense_shape& dims = of.microbatch;
  static_cast<void>(dims.parameters());
  const bytes activation = storage_of(dims.activation(), dims.type);
  const bytes element = size_of(dims.type);
  const kept_tensors kept = plan_kept_tensors(of.checkpointing, dims.layers);
  checked_sizes to;
  dense_training_sizes sizes;
  const bytes weight = to.times(bytes{dims.width}, dims.width);
  const auto of_layer = [&](bytes each) {
    return to.plus(to.block(to.times(weight, each.n)), to.block(to.times(each, dims.width)));
  };
  const bytes floats = to.times(of_layer(size_of(dtype::float32)), dims.layers);
  sizes.weights = to.times(of_layer(element), dims.layers);
  sizes.gradients = floats;
  sizes.optimizer = to.times(floats, state_tensors(of.optimizer, dims.type));
  const bytes x = to.block(to.times(activation, of.microbatches));
  const bytes classes = to.block(to.times(to.times(bytes{rows_of(of)}, of.microbatches), 4));
  sizes.inputs = to.plus(x, of.loss == loss_kind::cross_entropy ? classes : x);
  sizes.workspace = to.block(of.workspace);
  sizes.activation = to.block(activation);
  sizes.kept = to.times(sizes.activation, kept.after_forward);
  sizes.kept_most = to.times(sizes.activation, kept.at_most);
  sizes.activations =
      to.plus(sizes.kept_most, to.times(sizes.activation, beside_kept(of.checkpointing)));
  sizes.staging = to.block(to.times(weight, 4));

  bytes all = to.times(sizes.activation, 2);  // evaluate's
  for (const bytes each :
       {sizes.weights, sizes.inputs, sizes.inputs, sizes.gradients, sizes.optimizer,
        sizes.workspace, sizes.kept_most, sizes.staging, to.times(bytes{rows_of(of)}, 8)}) {
    all = to.plus(all, each);
  }
  if (to.fits()) return sizes;
  throw usage_error(fmt::format(
      "the bytes of training {} layers of width {} with microbatches of {} do not fit 64 bits; "
      "make one of them smaller",
      dims.layers, dims.width, dims.activation().text()));
}

dense_training_plan plan_dense_training(const dense_training_shape& of) {
  dense_training_plan plan;
  plan.sizes = size_dense_training(of);
  plan.cold = step_walk(of, plan.sizes, true).walk();
  plan.warm = step_walk(of, plan.sizes, false).walk();

  const bytes a = plan.sizes.activation;
  level now(plan.sizes.between_steps());
  dense_training_shape one = of;
  one.microbatches = 1;
  const bytes inputs = size_dense_training(one).inputs;
  now.take(inputs);
  now.take(of.microbatch.layers > 1 ? 2 * a : a);
  now.give(of.microbatch.layers > 1 ? a : bytes{});
  step_walk::loss(now, rows_of(of));
  now.give(inputs + a);
  plan.evaluate = now.end_phase();
  now.take(plan.sizes.staging);
  now.give(plan.sizes.staging);
  plan.export_weights = now.end_phase();
  return plan;
}

}  // namespace headroom::kernels
