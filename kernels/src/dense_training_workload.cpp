// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom_kernels/data_parallel.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <headroom_kernels/touch.hpp>
#include <utility>

#include "dense_description.hpp"
#include "dense_training_description.hpp"
#include "dense_verification.hpp"

namespace headroom::kernels {

dense_training_workload::dense_training_workload(workload_description description)
    : description_(checked_training(std::move(description))) {
  dims_.microbatch = read_microbatch(description_);
  dims_.microbatches = read_microbatches(description_);
  training_ = read_training(description_, dims_.microbatch.layers);
  dims_.loss = training_.loss;
  dims_.optimizer = training_.optimizer.kind;
  dims_.checkpointing = training_.checkpointing;
  dims_.workspace = read_workspace(description_);
  adapter_scale_ = read_adapter_scale(description_);
  verified_ = read_verify(description_);
  replica_count_ = read_replicas(description_);
  reduction_choice_ = read_reduction(description_, replica_count_);
  if (verified_ && replica_count_ > 1) {
    throw usage_error(
        fmt::format("{} compares two trainings on one device, and replicas is {}; "
                    "leave one of them out",
                    verify_option, replica_count_));
  }
  // Sizes that cannot be had are refused here, before anything is allocated.
  static_cast<void>(size_dense_training(dims_));
}

void dense_training_workload::touch(run_context& run) {
  for (device* each : run.devices()) touch_libraries(*each, dims_.microbatch.type, dims_.workspace);
  touched_ = new_reduction(run);
}

std::unique_ptr<reduction> dense_training_workload::new_reduction(run_context& run) const {
  return replica_count_ > 1 ? make_reduction(reduction_choice_, run.devices()) : nullptr;
}

void dense_training_workload::load(run_context& run) {
  if (static_cast<std::int64_t>(run.devices().size()) != replica_count_) {
    throw usage_error(
        fmt::format("replicas is {}, and {} device(s) take part; name as many devices",
                    replica_count_, run.devices().size()));
  }
  reduction_.reset();  // of a series before
  replicas_.resize(run.devices().size());
  run.on_each_device([&](device& on, std::size_t number) {
    replica& own = replicas_[number];
    own.products = std::make_unique<matrix_library>(on, stream_id{}, dims_.workspace);
    own.network = std::make_unique<dense_network>(on, stream_id{}, dims_.microbatch,
                                                  description_.seed, adapter_scale_);
    own.trainer =
        std::make_unique<dense_trainer>(on, stream_id{}, *own.network, *own.products, training_);
  });
  // What communicators take of the cards is there before the cold pass.
  reduction_ = touched_ ? std::move(touched_) : new_reduction(run);
}

void dense_training_workload::make_inputs(run_context& run) {
  run.on_each_device([&](device& on, std::size_t number) {
    replicas_[number].batch =
        dense_batch(on, stream_id{}, dims_.microbatch, dims_.microbatches, training_.loss,
                    seed_of(description_.seed, input_number), static_cast<std::int64_t>(number));
  });
}

/// A microbatch's part of the loss of all replicas; 0 where the device does not compute.
/// @throws error when it is not finite
float dense_training_workload::loss_of(replica& own, std::int64_t microbatch) {
  const std::int64_t terms = own.batch.terms() * replica_count_;
  const float part = own.trainer->loss(own.batch.target(microbatch), terms).value_or(0.0F);
  if (std::isfinite(part)) return part;
  throw error(fmt::format(
      "the loss is {} in step {}, microbatch {} of {}; give a learning_rate below {}, or look for "
      "the first number that is not finite in inputs and weights",
      part, steps_, microbatch + 1, dims_.microbatches, training_.optimizer.learning_rate));
}

void dense_training_workload::run_pass(run_context& run) {
  ++steps_;
  float loss = 0.0F;
  const auto each = [&](auto body) {
    return [&run, body, this] {
      run.on_each_device([&](device&, std::size_t number) { body(replicas_[number]); });
    };
  };
  for (std::int64_t i = 0; i < dims_.microbatches; ++i) {
    run.phase("forward", each([i](replica& own) { own.trainer->forward(own.batch.input(i)); }));
    run.phase("loss", each([&, i](replica& own) { loss += loss_of(own, i); }));
    run.phase("backward", each([i](replica& own) { own.trainer->backward(own.batch.input(i)); }));
  }
  if (replica_count_ > 1) run.phase("reduce", [&] { reduce(run); });
  run.phase("update", each([](replica& own) { own.trainer->update(); }));
  if (run.device().computes()) losses_.push_back(loss);
}

void dense_training_workload::reduce(run_context& run) {
  if (!run.device().computes()) return;
  std::vector<const dense_trainer*> trainers;
  for (const replica& each : replicas_) trainers.push_back(each.trainer.get());
  reduce_gradients(trainers, *reduction_, [&](std::optional<std::size_t> number) {
    number ? run.at_device(*number) : run.at_no_device();
  });
  run.at_no_device();
}

void dense_training_workload::finish(run_context& run) {
  run.phase("evaluate", [&] { evaluate(run); });
  run.phase("export", [&] { export_weights(run); });
  if (verified_) run.phase("verify", [&] { verify(run); });
}

void dense_training_workload::evaluate(run_context& run) {
  run.on_each_device([&](device& on, std::size_t number) {
    const replica& with = replicas_[number];
    const dense_batch own(on, stream_id{}, dims_.microbatch, 1, training_.loss,
                          seed_of(description_.seed, evaluation_number),
                          static_cast<std::int64_t>(number));
    const tensor y = with.network->forward(*with.products, own.input(0));
    const std::optional<float> part = loss_with_gradient(
        on, stream_id{}, training_.loss, y, own.target(0), own.terms() * replica_count_);
    if (part) evaluation_loss_ = evaluation_loss_.value_or(0.0F) + *part;
  });
}

void dense_training_workload::export_weights(run_context& run) {
  const std::int64_t trained = dims_.microbatch.trained_parameters();
  std::int64_t written = 0;
  std::int64_t finite = 0;
  std::vector<float> first;    // of the first replica, where there are several
  std::int64_t different = 0;  // numbers of the others that have not the same bits
  run.on_each_device([&](device&, std::size_t number) {
    std::size_t at = 0;
    replicas_[number].trainer->export_weights([&](std::span<const float> values) {
      if (number > 0) {
        for (const float value : values) {
          different += std::memcmp(&value, &first[at++], sizeof value) == 0 ? 0 : 1;
        }
        return;
      }
      written += static_cast<std::int64_t>(values.size());
      for (const float value : values) finite += std::isfinite(value) ? 1 : 0;
      if (replica_count_ > 1) first.insert(first.end(), values.begin(), values.end());
    });
  });
  if (!run.device().computes()) return;
  checks_.push_back(
      {"export",
       written == trained && finite == written,
       {},
       {},
       fmt::format("{} of {} parameters written, {} of them finite", written, trained, finite)});
  if (replica_count_ < 2) return;
  checks_.push_back(
      {"replicas",
       different == 0,
       {},
       {},
       fmt::format("{} replicas after {} steps: {} of {} numbers have other bits than "
                   "the first replica's",
                   replica_count_, steps_, different, (replica_count_ - 1) * written)});
}

void dense_training_workload::verify(run_context& run) {
  replica& only = replicas_.front();
  const verified_run own{run.device(), *only.trainer, *only.products,   only.batch,
                         losses_,      steps_,        description_.seed};
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
  if (reduction_) made.emplace_back(std::string(reduction_option), reduction_->text());
  const auto adapters = adapter_settings(dims_.microbatch, adapter_scale_);
  made.insert(made.end(), adapters.begin(), adapters.end());
  return made;
}

}  // namespace headroom::kernels
