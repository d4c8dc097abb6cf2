// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <headroom_kernels/touch.hpp>
#include <utility>

#include "dense_description.hpp"
#include "dense_verification.hpp"

namespace headroom::kernels {
namespace {

constexpr std::array<std::string_view, 5> dimension_names{"batch", "context", "width", "layers",
                                                          "microbatches"};
constexpr std::string_view loss_option = "loss";
constexpr std::string_view optimizer_option = "optimizer";
constexpr std::string_view rate_option = "learning_rate";
constexpr std::string_view checkpointing_option = "checkpointing";
constexpr std::string_view verify_option = "verify";
constexpr std::array<std::string_view, 8> option_names{
    loss_option,     optimizer_option,     rate_option,   checkpointing_option,
    adapters_option, adapter_scale_option, verify_option, workspace_option};

workload_description checked(workload_description of) {
  check_dense_names(of, "train", dimension_names, option_names);
  return of;
}

std::int64_t read_microbatches(const workload_description& of) {
  return of.requested.find("microbatches") ? read_dense_size(of, "microbatches") : 1;
}

dense_shape read_microbatch(const workload_description& of) {
  dense_shape dims = read_dense_shape(of);
  const std::int64_t microbatches = read_microbatches(of);
  if (dims.batch % microbatches != 0) {
    throw usage_error(fmt::format(
        "batch {} does not divide into {} microbatches; give a batch that is a multiple of "
        "microbatches, for example {}",
        dims.batch, microbatches,
        dims.batch < microbatches ? microbatches : dims.batch / microbatches * microbatches));
  }
  dims.batch /= microbatches;
  return dims;
}

training_settings read_training(const workload_description& of, std::int64_t layers) {
  const auto option = [&](std::string_view name, std::string_view otherwise) {
    return of.find_option(name).value_or(std::string(otherwise));
  };
  training_settings training;
  training.loss = loss_from_name(option(loss_option, "cross_entropy"));
  training.optimizer.kind = optimizer_from_name(option(optimizer_option, "adamw"));
  training.optimizer.learning_rate = read_number(of, rate_option, training.optimizer.learning_rate);
  training.checkpointing =
      checkpoint_policy_from_name(option(checkpointing_option, "none"), layers);
  return training;
}

bool read_verify(const workload_description& of) {
  const auto what = of.find_option(verify_option);
  if (!what) return false;
  if (*what == checkpointing_option) return true;
  throw usage_error(fmt::format("{} is {}; write \"{}\", or leave the option out", verify_option,
                                quoted_text(*what), checkpointing_option));
}

}  // namespace

dense_training_workload::dense_training_workload(workload_description description)
    : description_(checked(std::move(description))) {
  dims_.microbatch = read_microbatch(description_);
  dims_.microbatches = read_microbatches(description_);
  training_ = read_training(description_, dims_.microbatch.layers);
  dims_.loss = training_.loss;
  dims_.optimizer = training_.optimizer.kind;
  dims_.checkpointing = training_.checkpointing;
  dims_.workspace = read_workspace(description_);
  adapter_scale_ = read_adapter_scale(description_);
  verified_ = read_verify(description_);
  // Sizes that cannot be had are refused here, before anything is allocated.
  static_cast<void>(size_dense_training(dims_));
}

void dense_training_workload::touch(run_context& run) {
  for (device* each : run.devices()) touch_libraries(*each, dims_.microbatch.type, dims_.workspace);
}

void dense_training_workload::load(run_context& run) {
  products_ = std::make_unique<matrix_library>(run.device(), stream_id{}, dims_.workspace);
  network_ = std::make_unique<dense_network>(run.device(), stream_id{}, dims_.microbatch,
                                             description_.seed, adapter_scale_);
  trainer_ =
      std::make_unique<dense_trainer>(run.device(), stream_id{}, *network_, *products_, training_);
}

void dense_training_workload::make_inputs(run_context& run) {
  batch_ = dense_batch(run.device(), stream_id{}, dims_.microbatch, dims_.microbatches,
                       training_.loss, seed_of(description_.seed, input_number));
}

/// A microbatch's part of the loss; 0 where the device does not compute.
/// @throws error when it is not finite
float dense_training_workload::loss_of(std::int64_t microbatch) {
  const float part = trainer_->loss(batch_.target(microbatch), batch_.terms()).value_or(0.0F);
  if (std::isfinite(part)) return part;
  throw error(fmt::format(
      "the loss is {} in step {}, microbatch {} of {}; give a learning_rate below {}, or look for "
      "the first number that is not finite in inputs and weights",
      part, steps_, microbatch + 1, dims_.microbatches, training_.optimizer.learning_rate));
}

void dense_training_workload::run_pass(run_context& run) {
  ++steps_;
  float loss = 0.0F;
  for (std::int64_t i = 0; i < dims_.microbatches; ++i) {
    run.phase("forward", [&] { trainer_->forward(batch_.input(i)); });
    run.phase("loss", [&] { loss += loss_of(i); });
    run.phase("backward", [&] { trainer_->backward(batch_.input(i)); });
  }
  run.phase("update", [&] { trainer_->update(); });
  if (run.device().computes()) losses_.push_back(loss);
}

void dense_training_workload::finish(run_context& run) {
  run.phase("evaluate", [&] { evaluate(run); });
  run.phase("export", [&] { export_weights(run); });
  if (verified_) run.phase("verify", [&] { verify(run); });
}

void dense_training_workload::evaluate(run_context& run) {
  const dense_batch own(run.device(), stream_id{}, dims_.microbatch, 1, training_.loss,
                        seed_of(description_.seed, evaluation_number));
  const tensor y = network_->forward(*products_, own.input(0));
  evaluation_loss_ =
      loss_with_gradient(run.device(), stream_id{}, training_.loss, y, own.target(0), own.terms());
}

void dense_training_workload::export_weights(run_context& run) {
  const std::int64_t trained = dims_.microbatch.trained_parameters();
  std::int64_t written = 0;
  std::int64_t finite = 0;
  trainer_->export_weights([&](std::span<const float> values) {
    written += static_cast<std::int64_t>(values.size());
    for (const float value : values) finite += std::isfinite(value) ? 1 : 0;
  });
  if (!run.device().computes()) return;
  checks_.push_back(
      {"export",
       written == trained && finite == written,
       {},
       {},
       fmt::format("{} of {} parameters written, {} of them finite", written, trained, finite)});
}

void dense_training_workload::verify(run_context& run) {
  const verified_run own{run.device(), *trainer_, *products_,       batch_,
                         losses_,      steps_,    description_.seed};
  if (auto compared = compare_checkpointing(own)) checks_.push_back(std::move(*compared));
}

std::vector<std::pair<std::string, std::string>> dense_training_workload::settings() const {
  std::vector<std::pair<std::string, std::string>> made{
      {std::string(workspace_option), fmt::format("{} B", dims_.workspace.n)},
      {std::string(loss_option), std::string(name_of(training_.loss))},
      {std::string(optimizer_option), std::string(name_of(training_.optimizer.kind))},
      {std::string(rate_option), fmt::format("{}", training_.optimizer.learning_rate)},
      {std::string(checkpointing_option), training_.checkpointing.name}};
  if (training_.checkpointing.keeps != checkpoint_policy::keeping::all) {
    const bytes saved = saved_by_checkpointing(dims_);
    made.emplace_back("checkpointing_saves",
                      saved.n == 0 ? "nothing" : format_bytes(saved) + " of activations, computed");
  }
  const auto adapters = adapter_settings(dims_.microbatch, adapter_scale_);
  made.insert(made.end(), adapters.begin(), adapters.end());
  return made;
}

}  // namespace headroom::kernels
