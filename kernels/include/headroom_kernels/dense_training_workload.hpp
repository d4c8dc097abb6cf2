// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/workload.hpp>
#include <headroom_kernels/dense_batch.hpp>
#include <headroom_kernels/dense_trainer.hpp>
#include <headroom_kernels/dense_training_plan.hpp>
#include <headroom_kernels/reduction.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace headroom::kernels {

/// The workload "dense" with the operation "train". A pass is a training step with the inner phases
/// forward, loss and backward for each microbatch, then update; after the last pass come evaluate
/// (forward and loss on a batch of its own, nothing kept) and export.
///
/// Dimensions: batch, context, width, layers and, where gradients are accumulated, microbatches
/// (default 1), of which batch is a multiple. With replicas (default 1) the step is data-parallel:
/// so many devices hold the network and train it with a batch each; a phase `reduce` in front of
/// the update adds up the gradients (data_parallel.hpp), so that N devices with a batch b learn
/// what one device learns with N b. Each phase runs on every device; memory is that of each. dtype:
/// "float32", or "bfloat16" for weights and activations, with float32 gradients, master weights and
/// optimizer state. Options:
///   loss             "cross_entropy" (default) or "mean_squared_error"
///   optimizer        "adamw" (default) or "sgd", with momentum
///   learning_rate    default "0.001"
///   checkpointing    checkpoint_policy_from_name; default "none"
///   adapters         rank of adapters, which alone are trained then (dense_network); default none
///   adapter_scale    default "1"
///   verify           "checkpointing": after export, a phase `verify` trains a second network as
///                    long under another policy ("none", or "every_layer" where that is the run's
///                    own); losses, gradients and weights must have the same bits
///   reduction        with replicas: "auto" (default) adds up by NCCL on cards where it is there,
///                    else through the host; "nccl", refused on cards without it; "host". Other
///                    devices add up through the host under each
///   matrix_workspace a size, or a card (cards/) for its figure; default "8 MiB"
class dense_training_workload : public workload {
 public:
  /// @throws usage_error that says what to write, for anything the workload does not know
  explicit dense_training_workload(workload_description description);

  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "step"; }
  [[nodiscard]] int device_count() const override { return static_cast<int>(replica_count_); }
  void touch(run_context& run) override;
  void load(run_context& run) override;
  void make_inputs(run_context& run) override;
  /// @throws error that names the loss, in the phase `loss`, when it is not finite
  void run_pass(run_context& run) override;
  void finish(run_context& run) override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings() const override;
  [[nodiscard]] std::vector<check> checks() const override { return checks_; }

  [[nodiscard]] const dense_training_shape& dims() const { return dims_; }
  [[nodiscard]] dense_training_plan plan() const { return plan_dense_training(dims_); }
  /// Of each step; empty where the device does not compute.
  [[nodiscard]] const std::vector<float>& losses() const { return losses_; }
  /// Of `evaluate`.
  [[nodiscard]] std::optional<float> evaluation_loss() const { return evaluation_loss_; }
  /// Null before load. @param number  of the replica
  [[nodiscard]] const dense_trainer* trainer(std::size_t number = 0) const {
    return number < replicas_.size() ? replicas_[number].trainer.get() : nullptr;
  }

 private:
  struct replica {
    std::unique_ptr<matrix_library> products;
    std::unique_ptr<dense_network> network;
    std::unique_ptr<dense_trainer> trainer;
    dense_batch batch;
  };
  float loss_of(replica& own, std::int64_t microbatch);
  void reduce(run_context& run);
  [[nodiscard]] std::unique_ptr<reduction> new_reduction(run_context& run) const;
  void evaluate(run_context& run);
  void export_weights(run_context& run);
  void verify(run_context& run);

  workload_description description_;
  dense_training_shape dims_;
  training_settings training_;
  float adapter_scale_ = 1.0F;
  bool verified_ = false;  // by a second network
  std::int64_t replica_count_ = 1;
  reduction_choice reduction_choice_ = reduction_choice::automatic;
  std::unique_ptr<reduction> touched_;    // made in `touch`, until load takes it
  std::unique_ptr<reduction> reduction_;  // null with one device, and before load
  std::vector<replica> replicas_;         // one a device
  std::int64_t steps_ = 0;
  std::vector<float> losses_;
  std::optional<float> evaluation_loss_;
  std::vector<check> checks_;
};

}  // namespace headroom::kernels
