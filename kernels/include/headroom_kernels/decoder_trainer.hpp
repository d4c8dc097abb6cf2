// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <headroom_kernels/checkpointing.hpp>
#include <headroom_kernels/decoder_network.hpp>
#include <headroom_kernels/ops/column_sums.hpp>
#include <headroom_kernels/optimizer.hpp>
#include <optional>
#include <span>
#include <vector>

namespace headroom::kernels {

struct decoder_training_settings {
  std::int64_t batch = 0;    ///< sequences of a microbatch
  std::int64_t context = 0;  ///< tokens of a sequence
  optimizer_settings optimizer;
  checkpoint_policy checkpointing;
  attention_form form = attention_form::tiled;
};

/// Trains a decoder of plain weights on the next token: forward, loss and backward for each
/// microbatch, then update.
///
/// "none" keeps all that a layer's products read; "selective" what products made, and norms and
/// gates are computed again; the others the inputs of segments, which are run again. Gradients,
/// float32 and tag `gradients`, are allocated in the backward of a step's first microbatch and
/// given back in the update. After an exception the step is incomplete and the trainer is to be
/// ended.
class decoder_trainer {
 public:
  /// @param on       must outlive the trainer, as network and products must, which are on `stream`
  /// @param network  its weights are changed
  /// @throws usage_error when the network's weights are packed
  decoder_trainer(device& on, stream_id stream, const decoder_network& network,
                  matrix_library& products, const decoder_training_settings& settings);

  enum class keep : bool { nothing, policy };
  /// Queues a pass that keeps what the policy says, or nothing but the logits.
  /// @param tokens  [batch, context]
  /// @throws out_of_memory, as what follows
  void forward(const class_view& tokens, keep what = keep::policy);
  /// Computes the cross-entropy of the logits, replaces them by their gradient and waits.
  /// @param next   [batch, context]: the token behind each
  /// @param terms  the loss is a sum over tokens divided by this number
  /// @return       nothing where the device does not compute
  std::optional<float> loss(const class_view& next, std::int64_t terms);
  /// Queues the gradients of all weights, added to those of the step's microbatches before.
  void backward(const class_view& tokens);
  /// Queues the update of all weights and gives the gradients back.
  void update();
  /// Ends a forward that is not followed by a backward.
  void drop_logits() { logits_ = {}; }

  /// The network's weights in the order in which it made them.
  [[nodiscard]] const std::vector<const tensor*>& parameters() const { return parameters_; }
  /// Of each parameter, float32; empty tensors between an update and the next backward.
  [[nodiscard]] const std::vector<tensor>& gradients() const { return gradients_; }
  [[nodiscard]] const tensor& logits() const { return logits_; }  ///< [tokens, vocabulary]

  /// Takes the values of one parameter, float32.
  using sink = std::function<void(std::span<const float> values)>;
  /// Writes each parameter, where it is most exact, through one buffer on the device, tag
  /// `temporary`, and one on the host. Where the device does not compute the sink is not called.
  void export_weights(const sink& to) const;

 private:
  /// What a layer keeps, [tokens, ...]; empty where it is to be computed again.
  struct kept_layer {
    tensor input;            // [width]
    tensor attention_input;  // normed
    tensor projected;        // queries, keys and values, turned
    tensor attended;         // [queries]
    tensor middle;           // behind attention
    tensor mlp_input;        // normed
    tensor gate_up;          // [2 x ffn]
    tensor gated;            // [ffn]
  };
  [[nodiscard]] tensor activation(std::int64_t width) const;
  [[nodiscard]] tensor normed(const tensor& x, const tensor& weight) const;
  [[nodiscard]] tensor gated(const tensor& gate_up) const;
  [[nodiscard]] tensor run_layer(std::size_t layer, const tensor& input, kept_layer& into) const;
  void thin(kept_layer& made) const;
  void run_again(std::size_t first, std::size_t behind);
  void backward_layer(std::size_t layer, const tensor& dx);
  void backward_mlp(std::size_t layer, const tensor& dx);
  void backward_attention(std::size_t layer, const tensor& dx);
  void backward_norm(std::size_t parameter, const tensor& x, const tensor& dy, const tensor& dx);
  /// Adds a' b to the gradient of a parameter.
  void add_gradient(std::size_t parameter, const tensor& a, const tensor& b);
  [[nodiscard]] tensor_view gradient_of(std::size_t parameter, accumulate& add);
  [[nodiscard]] std::size_t parameter_of(std::size_t layer, std::size_t which) const {
    return 1 + 6 * layer + which;
  }

  device& device_;
  stream_id stream_;
  const decoder_network& network_;
  matrix_library& products_;
  decoder_training_settings settings_;
  std::vector<const tensor*> parameters_;
  optimizer optimizer_;
  std::vector<kept_layer> kept_;   // one a layer
  std::vector<tensor> gradients_;  // one a parameter
  tensor last_;                    // output of the last layer
  tensor logits_;                  // behind loss: their gradient
};

}  // namespace headroom::kernels
