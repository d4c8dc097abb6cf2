// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <headroom_kernels/checkpointing.hpp>
#include <headroom_kernels/dense_network.hpp>
#include <headroom_kernels/loss.hpp>
#include <headroom_kernels/optimizer.hpp>
#include <optional>
#include <span>
#include <vector>

namespace headroom::kernels {

struct training_settings {
  loss_kind loss = loss_kind::cross_entropy;
  optimizer_settings optimizer;
  checkpoint_policy checkpointing;
};

/// Trains a dense network: forward, loss and backward for each microbatch, then update.
///
/// Gradients, float32 and tag `gradients`, are allocated in the backward of a step's first
/// microbatch, layer by layer from the last, and given back in the update. Activations are given
/// back at their last use. In a network with adapters only these are trained: frozen weights have
/// neither gradient nor optimizer state, and gradients of activations run through them. After an
/// exception the step is incomplete and the trainer is to be ended.
class dense_trainer {
 public:
  /// @param on        must outlive the trainer, as network and products must, which are on `stream`
  /// @param network   its weights are changed; its shape is that of a microbatch
  dense_trainer(device& on, stream_id stream, const dense_network& network,
                matrix_library& products, const training_settings& settings);

  /// Queues a pass that keeps what the checkpointing policy says, and the output.
  /// @param x  [batch, context, width]; kept by its owner until backward
  /// @throws out_of_memory, as what follows
  void forward(const tensor_view& x);
  /// Computes the loss of the output, replaces the output by its gradient and waits.
  /// @param terms  the loss is a sum of terms divided by this number: loss_terms() of the batch
  /// @return       nothing where the device does not compute
  std::optional<float> loss(const loss_target& target, std::int64_t terms);
  /// Queues the gradients of trained parameters, added to those of the step's microbatches before.
  /// @param x  as in forward
  void backward(const tensor_view& x);
  /// Queues the update of all trained parameters and gives the gradients back.
  void update();

  using gradient = dense_network::layer;  ///< float32; tensors of what is frozen are empty
  /// Of each layer; empty tensors between an update and the next backward.
  [[nodiscard]] const std::vector<gradient>& gradients() const { return gradients_; }
  /// [batch, context, width], between forward and backward.
  [[nodiscard]] const tensor& output() const { return output_; }
  [[nodiscard]] const training_settings& settings() const { return settings_; }
  [[nodiscard]] const dense_network& network() const { return network_; }

  /// Takes the values of one parameter, float32.
  using sink = std::function<void(std::span<const float> values)>;
  /// Writes what each layer's training changed, weight and bias or the adapter's down and up, each
  /// where it is most exact, through one buffer on the device, tag `temporary`, and one on the
  /// host. Where the device does not compute the sink is not called.
  void export_weights(const sink& to) const;

 private:
  struct kept_activations {
    tensor input;  ///< output of the layer before
    dense_network::product product;
  };
  [[nodiscard]] tensor new_activation();
  [[nodiscard]] tensor new_gradient(const tensor& of);
  [[nodiscard]] tensor_view input_of(std::size_t layer, const tensor_view& x) const;
  [[nodiscard]] tensor activate(std::size_t layer, const tensor_view& product);
  void run_again(std::size_t first, std::size_t behind, const tensor_view& x);
  /// @param dy  gradient of the layer's output. @return that of its input, empty for layer 0
  [[nodiscard]] tensor backward(std::size_t layer, const tensor_view& x, tensor dy);
  [[nodiscard]] tensor backward_up(std::size_t layer, const tensor_view& dz);
  void add_bias_gradient(std::size_t layer, const tensor_view& dz);
  void add_gradient(tensor& to, const tensor& of, float alpha, const tensor_view& a,
                    const tensor_view& b);

  device& device_;
  stream_id stream_;
  const dense_network& network_;
  matrix_library& products_;
  training_settings settings_;
  optimizer optimizer_;
  std::vector<kept_activations> kept_;  // one a layer, as what follows
  std::vector<gradient> gradients_;
  tensor output_;  // behind loss: its gradient
};

}  // namespace headroom::kernels
