// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/error.hpp>
#include <headroom_kernels/decoder_trainer.hpp>
#include <headroom_kernels/loss.hpp>
#include <headroom_kernels/ops/convert.hpp>
#include <headroom_kernels/ops/embedding.hpp>
#include <headroom_kernels/ops/rms_norm.hpp>
#include <headroom_kernels/ops/rotary.hpp>
#include <headroom_kernels/ops/silu_gate.hpp>
#include <utility>

#include "training_attention.hpp"

namespace headroom::kernels {
namespace {

std::vector<const tensor*> parameters_of(const decoder_network& network) {
  std::vector<const tensor*> made{&network.embedding()};
  for (const decoder_network::layer& own : network.layers()) {
    for (const tensor* each :
         {&own.attention_norm, &own.projections.plain(), &own.attention_output.plain(),
          &own.mlp_norm, &own.gate_up.plain(), &own.down.plain()}) {
      if (each->address() == nullptr) {
        throw usage_error("a decoder with packed weights cannot be trained; store them plain");
      }
      made.push_back(each);
    }
  }
  made.push_back(&network.final_norm());
  if (!network.dims().tied) made.push_back(&network.output());
  return made;
}

}  // namespace

decoder_trainer::decoder_trainer(device& on, stream_id stream, const decoder_network& network,
                                 matrix_library& products,
                                 const decoder_training_settings& settings)
    : device_(on),
      stream_(stream),
      network_(network),
      products_(products),
      settings_(settings),
      parameters_(parameters_of(network)),
      optimizer_(on, stream, settings.optimizer, parameters_.size()),
      kept_(network.layers().size()),
      gradients_(parameters_.size()) {}

tensor decoder_trainer::activation(std::int64_t width) const {
  return {device_,
          stream_,
          {{"tokens", settings_.batch * settings_.context}, {"width", width}},
          network_.dims().type,
          tag::activations};
}

tensor decoder_trainer::normed(const tensor& x, const tensor& weight) const {
  tensor y = activation(network_.dims().width);
  rms_norm(device_, stream_, x, weight, network_.dims().norm_epsilon, y);
  return y;
}

tensor decoder_trainer::gated(const tensor& gate_up) const {
  tensor y = activation(network_.dims().ffn);
  silu_gate(device_, stream_, gate_up, matrix_of(y));
  return y;
}

/// Runs a layer and leaves all that it made in `into`, but for its input. @return its output
tensor decoder_trainer::run_layer(std::size_t layer, const tensor& input, kept_layer& into) const {
  const decoder_shape& dims = network_.dims();
  const decoder_network::layer& own = network_.layers()[layer];
  const auto product = [&](const tensor& x, const linear_weight& weight, float beta,
                           const tensor& y) {
    products_.multiply(1.0F, matrix_of(x), matrix_of(weight.plain()), beta, matrix_of(y));
  };
  const auto copied = [&](const tensor& x) {
    tensor y = activation(dims.width);
    device_.copy_on_device(y.address(), x.address(), x.size(), stream_);
    return y;
  };
  into.attention_input = normed(input, own.attention_norm);
  into.projected = activation(dims.projections());
  product(into.attention_input, own.projections, 0.0F, into.projected);
  turn_rows(device_, stream_, dims, settings_, into.projected, rotation::forward);
  into.attended = activation(dims.queries());
  attend_sequences(device_, stream_, products_, dims, settings_, into.projected, into.attended);
  into.middle = copied(input);
  product(into.attended, own.attention_output, 1.0F, into.middle);
  into.mlp_input = normed(into.middle, own.mlp_norm);
  into.gate_up = activation(2 * dims.ffn);
  product(into.mlp_input, own.gate_up, 0.0F, into.gate_up);
  into.gated = gated(into.gate_up);
  tensor output = copied(into.middle);
  product(into.gated, own.down, 1.0F, output);
  return output;
}

/// Drops what the policy does not keep of a layer that ran.
void decoder_trainer::thin(kept_layer& made) const {
  if (settings_.checkpointing.keeps == checkpoint_policy::keeping::all) return;
  made.attention_input = {};
  made.mlp_input = {};
  made.gated = {};
  if (settings_.checkpointing.keeps_product()) return;
  made.projected = {};
  made.attended = {};
  made.middle = {};
  made.gate_up = {};
}

void decoder_trainer::forward(const class_view& tokens, keep what) {
  const decoder_shape& dims = network_.dims();
  const checkpoint_policy& policy = settings_.checkpointing;
  tensor x = activation(dims.width);
  embedding(device_, stream_, network_.embedding(), tokens, x);
  for (std::size_t layer = 0; layer < kept_.size(); ++layer) {
    kept_layer made;
    tensor y = run_layer(layer, x, made);
    if (what == keep::policy) {
      // The first input is the embedding's output, which nobody else keeps.
      const bool input = layer == 0 || policy.keeps_product() ||
                         policy.keeps_input(static_cast<std::int64_t>(layer));
      if (input) made.input = std::move(x);
      thin(made);
      kept_[layer] = std::move(made);
    }
    x = std::move(y);
  }
  {
    const tensor y = normed(x, network_.final_norm());
    if (what == keep::policy) {
      last_ = std::move(x);
    } else {
      x = {};
    }
    logits_ = activation(dims.vocabulary);
    products_.multiply(matrix_of(y), transpose(matrix_of(network_.output())), matrix_of(logits_));
  }
}

std::optional<float> decoder_trainer::loss(const class_view& next, std::int64_t terms) {
  return loss_with_gradient(device_, stream_, loss_kind::cross_entropy, logits_, {next, {}}, terms);
}

/// Forward once more over a segment, keeping all of its layers.
void decoder_trainer::run_again(std::size_t first, std::size_t behind) {
  for (std::size_t layer = first; layer < behind; ++layer) {
    tensor y = run_layer(layer, kept_[layer].input, kept_[layer]);
    if (layer + 1 < behind) kept_[layer + 1].input = std::move(y);
  }
}

void decoder_trainer::update() {
  optimizer_.begin_step();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    optimizer_.update(i, *parameters_[i], gradients_[i]);
    gradients_[i] = {};
  }
}

void decoder_trainer::export_weights(const sink& to) const {
  const tensor* largest = parameters_.front();
  for (const tensor* each : parameters_) {
    if (each->dims().elements() > largest->dims().elements()) largest = each;
  }
  const tensor staging(device_, stream_, largest->dims(), dtype::float32, tag::temporary);
  std::vector<float> values(
      device_.computes() ? static_cast<std::size_t>(largest->dims().elements()) : 0);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const tensor_view from = optimizer_.most_exact(i, *parameters_[i]);
    const tensor_view through{staging.address(), from.dims, dtype::float32};
    convert(device_, stream_, from, through);
    if (!device_.computes()) continue;
    device_.copy_to_host(values.data(), through.address, storage_of(from.dims, dtype::float32),
                         stream_);
    device_.synchronize(stream_);
    to(std::span(values).first(static_cast<std::size_t>(from.dims.elements())));
  }
}

}  // namespace headroom::kernels
