// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/workload.hpp>
#include <headroom_kernels/decoder_trainer.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace headroom::kernels {

/// The workload "decoder" with the operation "train": next-token prediction on random tokens. A
/// pass is a training step with the inner phases forward, loss and backward for each microbatch,
/// then update; after the last pass come evaluate (forward and loss on a batch of its own, nothing
/// kept) and export.
///
/// Dimensions: batch (sequences) and context (tokens of each), microbatches (default 1), of which
/// batch is a multiple, and the model's, as in decoder_workload. dtype: "float32", or "bfloat16"
/// for weights and activations, with float32 gradients, master weights and optimizer state.
/// Options:
///   shape, tied, attention, staging, matrix_workspace  as in decoder_workload
///   optimizer        "adamw" (default) or "sgd", with momentum
///   learning_rate    default "0.001"
///   checkpointing    checkpoint_policy_from_name; default "none"
class decoder_training_workload : public workload {
 public:
  /// @throws usage_error that says what to write, for anything the workload does not know
  explicit decoder_training_workload(workload_description description);

  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "step"; }
  void touch(run_context& run) override;
  void load(run_context& run) override;
  void make_inputs(run_context& run) override;
  /// @throws error that names the loss, in the phase `loss`, when it is not finite
  void run_pass(run_context& run) override;
  void finish(run_context& run) override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings() const override;
  [[nodiscard]] std::vector<check> checks() const override { return checks_; }

  [[nodiscard]] const decoder_shape& model() const { return model_; }
  /// Of each step; empty where the device does not compute.
  [[nodiscard]] const std::vector<float>& losses() const { return losses_; }
  /// Of `evaluate`.
  [[nodiscard]] std::optional<float> evaluation_loss() const { return evaluation_loss_; }
  /// Null before load.
  [[nodiscard]] const decoder_trainer* trainer() const { return trainer_.get(); }

 private:
  /// Tokens of `microbatches` microbatches, and the token behind each.
  struct batch_tokens {
    buffer tokens;
    buffer next;
  };
  [[nodiscard]] std::int64_t microbatch_tokens() const {
    return training_.batch * training_.context;
  }
  [[nodiscard]] batch_tokens make_batch(run_context& run, std::int64_t microbatches,
                                        std::uint64_t number) const;
  [[nodiscard]] class_view part(const buffer& of, std::int64_t microbatch) const;
  void take_loss(const std::optional<float>& part, std::int64_t microbatch, float& sum) const;
  void evaluate(run_context& run);
  void export_weights(run_context& run);

  workload_description description_;
  decoder_shape model_;
  decoder_training_settings training_;
  weight_loading loading_;
  std::int64_t microbatches_ = 1;
  bytes workspace_;
  std::unique_ptr<matrix_library> products_;
  std::unique_ptr<decoder_network> network_;
  std::unique_ptr<decoder_trainer> trainer_;
  batch_tokens batch_;
  std::vector<float> losses_;
  std::optional<float> evaluation_loss_;
  std::vector<check> checks_;
};

}  // namespace headroom::kernels
