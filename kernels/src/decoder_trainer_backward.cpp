// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom_kernels/decoder_trainer.hpp>
#include <headroom_kernels/ops/embedding.hpp>
#include <headroom_kernels/ops/rms_norm.hpp>
#include <headroom_kernels/ops/silu_gate.hpp>
#include <utility>

#include "training_attention.hpp"

namespace headroom::kernels {
namespace {

// Of a layer's parameters, in the order in which the network makes them.
constexpr std::size_t attention_norm = 0;
constexpr std::size_t projections = 1;
constexpr std::size_t attention_output = 2;
constexpr std::size_t mlp_norm = 3;
constexpr std::size_t gate_up = 4;
constexpr std::size_t down = 5;

}  // namespace

/// The gradient of a parameter, made at its first use in a step.
/// @param add  set to whether there are numbers in it
tensor_view decoder_trainer::gradient_of(std::size_t parameter, accumulate& add) {
  tensor& own = gradients_[parameter];
  add = own.address() == nullptr ? accumulate::no : accumulate::yes;
  if (add == accumulate::no) {
    own = tensor(device_, stream_, parameters_[parameter]->dims(), dtype::float32, tag::gradients);
  }
  return own;
}

void decoder_trainer::add_gradient(std::size_t parameter, const tensor& a, const tensor& b) {
  accumulate add{};
  const tensor_view into = gradient_of(parameter, add);
  products_.multiply(1.0F, transpose(matrix_of(a)), matrix_of(b),
                     add == accumulate::yes ? 1.0F : 0.0F, matrix_of(into));
}

void decoder_trainer::backward_norm(std::size_t parameter, const tensor& x, const tensor& dy,
                                    const tensor& dx) {
  accumulate add{};
  const tensor_view into = gradient_of(parameter, add);
  const tensor scales(device_, stream_, {{"tokens", x.dims().rows()}}, dtype::float32,
                      tag::workspace);
  rms_norm_backward(device_, stream_, x, *parameters_[parameter], network_.dims().norm_epsilon, dy,
                    dx, into, add, scales);
}

/// @param dx  gradient of the layer's output; afterwards that of `middle`
void decoder_trainer::backward_mlp(std::size_t layer, const tensor& dx) {
  const decoder_shape& dims = network_.dims();
  const decoder_network::layer& own = network_.layers()[layer];
  kept_layer& kept = kept_[layer];
  if (kept.gated.address() == nullptr) kept.gated = gated(kept.gate_up);
  add_gradient(parameter_of(layer, down), kept.gated, dx);
  kept.gated = {};
  {
    const tensor d = activation(dims.ffn);
    products_.multiply(matrix_of(dx), transpose(matrix_of(own.down.plain())), matrix_of(d));
    silu_gate_backward(device_, stream_, kept.gate_up, d);
  }
  if (kept.mlp_input.address() == nullptr) kept.mlp_input = normed(kept.middle, own.mlp_norm);
  add_gradient(parameter_of(layer, gate_up), kept.mlp_input, kept.gate_up);
  kept.mlp_input = {};
  const tensor d = activation(dims.width);
  products_.multiply(matrix_of(kept.gate_up), transpose(matrix_of(own.gate_up.plain())),
                     matrix_of(d));
  kept.gate_up = {};
  backward_norm(parameter_of(layer, mlp_norm), kept.middle, d, dx);
  kept.middle = {};
}

/// @param dx  gradient of `middle`; afterwards that of the layer's input
void decoder_trainer::backward_attention(std::size_t layer, const tensor& dx) {
  const decoder_shape& dims = network_.dims();
  const decoder_network::layer& own = network_.layers()[layer];
  kept_layer& kept = kept_[layer];
  add_gradient(parameter_of(layer, attention_output), kept.attended, dx);
  kept.attended = {};
  tensor dprojected = activation(dims.projections());
  {
    const tensor dy = activation(dims.queries());
    products_.multiply(matrix_of(dx), transpose(matrix_of(own.attention_output.plain())),
                       matrix_of(dy));
    attend_sequences_backward(device_, stream_, products_, dims, settings_, kept.projected, dy,
                              dprojected);
  }
  kept.projected = {};
  turn_rows(device_, stream_, dims, settings_, dprojected, rotation::backward);
  if (kept.attention_input.address() == nullptr) {
    kept.attention_input = normed(kept.input, own.attention_norm);
  }
  add_gradient(parameter_of(layer, projections), kept.attention_input, dprojected);
  kept.attention_input = {};
  const tensor d = activation(dims.width);
  products_.multiply(matrix_of(dprojected), transpose(matrix_of(own.projections.plain())),
                     matrix_of(d));
  dprojected = {};
  backward_norm(parameter_of(layer, attention_norm), kept.input, d, dx);
  kept.input = {};
}

void decoder_trainer::backward_layer(std::size_t layer, const tensor& dx) {
  backward_mlp(layer, dx);
  backward_attention(layer, dx);
}

void decoder_trainer::backward(const class_view& tokens) {
  const decoder_shape& dims = network_.dims();
  const std::size_t final_norm = 1 + 6 * kept_.size();
  tensor dx = activation(dims.width);
  device_.fill_zero(dx.address(), dx.size(), stream_);
  {
    const tensor d = activation(dims.width);
    products_.multiply(matrix_of(logits_), matrix_of(network_.output()), matrix_of(d));
    {
      const tensor y = normed(last_, network_.final_norm());
      add_gradient(dims.tied ? 0 : final_norm + 1, logits_, y);
    }
    logits_ = {};
    backward_norm(final_norm, last_, d, dx);
  }
  last_ = {};
  const bool in_segments = settings_.checkpointing.keeps == checkpoint_policy::keeping::segments;
  const std::size_t segment =
      in_segments ? static_cast<std::size_t>(settings_.checkpointing.segment_layers) : kept_.size();
  for (std::size_t behind = kept_.size(); behind > 0;) {
    const std::size_t first = (behind - 1) / segment * segment;
    if (in_segments) run_again(first, behind);
    for (; behind > first; --behind) backward_layer(behind - 1, dx);
  }
  accumulate add{};
  const tensor_view into = gradient_of(0, add);
  embedding_backward(device_, stream_, dx, tokens, into, add);
}

}  // namespace headroom::kernels
