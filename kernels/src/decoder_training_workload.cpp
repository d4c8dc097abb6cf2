// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom_kernels/decoder_training_workload.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <headroom_kernels/touch.hpp>
#include <utility>

#include "decoder_description.hpp"
#include "dense_description.hpp"

namespace headroom::kernels {
namespace {

constexpr bytes token_size{sizeof(std::int32_t)};

double read_learning_rate(const workload_description& of) {
  const auto text = of.find_option("learning_rate");
  if (!text) return optimizer_settings{}.learning_rate;
  double rate = 0.0;
  const char* const end = text->data() + text->size();
  const auto [read_to, problem] = std::from_chars(text->data(), end, rate);
  if (problem == std::errc() && read_to == end && rate > 0.0 && std::isfinite(rate)) return rate;
  throw usage_error(fmt::format("learning_rate is {}; give a number above 0, for example \"0.001\"",
                                quoted_text(*text)));
}

/// Bytes of the tokens of all microbatches. @throws usage_error
bytes token_bytes(std::int64_t batch, std::int64_t context) {
  return storage_of({{"batch", batch}, {"context", context}}, dtype::float32);
}

}  // namespace

decoder_training_workload::decoder_training_workload(workload_description description)
    : description_(std::move(description)) {
  check_training_names(description_);
  model_ = read_decoder_shape(description_);
  const std::int64_t batch = read_decoder_size(description_, "batch");
  training_.context = read_decoder_size(description_, "context");
  microbatches_ = description_.requested.find("microbatches").value_or(1);
  if (batch % microbatches_ != 0) {
    throw usage_error(
        fmt::format("batch {} does not divide into {} microbatches; give a batch that is a "
                    "multiple of microbatches, for example {}",
                    batch, microbatches_, (batch / microbatches_ + 1) * microbatches_));
  }
  static_cast<void>(token_bytes(batch, training_.context));
  training_.batch = batch / microbatches_;
  const auto option = [&](std::string_view name, std::string_view otherwise) {
    return description_.find_option(name).value_or(std::string(otherwise));
  };
  training_.optimizer.kind = optimizer_from_name(option("optimizer", "adamw"));
  training_.optimizer.learning_rate = read_learning_rate(description_);
  training_.checkpointing =
      checkpoint_policy_from_name(option("checkpointing", "none"), model_.layers);
  training_.form = attention_form_from_name(option("attention", "tiled"));
  loading_.staging = read_staging(description_);
  workspace_ = read_workspace(description_);
}

void decoder_training_workload::touch(run_context& run) {
  for (device* each : run.devices()) touch_libraries(*each, model_.type, workspace_);
}

void decoder_training_workload::load(run_context& run) {
  products_ = std::make_unique<matrix_library>(run.device(), stream_id{}, workspace_);
  network_ = std::make_unique<decoder_network>(run.device(), stream_id{}, model_, description_.seed,
                                               loading_);
  trainer_ = std::make_unique<decoder_trainer>(run.device(), stream_id{}, *network_, *products_,
                                               training_);
}

decoder_training_workload::batch_tokens decoder_training_workload::make_batch(
    run_context& run, std::int64_t microbatches, std::uint64_t number) const {
  const std::int64_t count = microbatches * microbatch_tokens();
  batch_tokens made{buffer(run.device(), count * token_size, tag::inputs),
                    buffer(run.device(), count * token_size, tag::inputs)};
  fill_classes(run.device(), stream_id{},
               {static_cast<std::int32_t*>(made.tokens.address()), count},
               seed_of(description_.seed, number), model_.vocabulary);
  // The sequences lie one behind the other: behind the last token of one comes the first of the
  // next, and behind the very last the very first.
  const auto* const tokens = static_cast<const std::int32_t*>(made.tokens.address());
  auto* const next = static_cast<std::int32_t*>(made.next.address());
  if (count > 1) {
    run.device().copy_on_device(next, tokens + 1, (count - 1) * token_size, stream_id{});
  }
  run.device().copy_on_device(next + (count - 1), tokens, token_size, stream_id{});
  return made;
}

void decoder_training_workload::make_inputs(run_context& run) {
  batch_ = make_batch(run, microbatches_, input_number);
}

class_view decoder_training_workload::part(const buffer& of, std::int64_t microbatch) const {
  return {static_cast<std::int32_t*>(of.address()) + microbatch * microbatch_tokens(),
          microbatch_tokens()};
}

/// Adds a microbatch's part of the loss. @throws error when it is not finite
void decoder_training_workload::take_loss(const std::optional<float>& part, std::int64_t microbatch,
                                          float& sum) const {
  if (!part) return;
  if (!std::isfinite(*part)) {
    throw error(fmt::format(
        "the loss is {} in step {}, microbatch {} of {}; give a learning_rate below {}, or look "
        "for the first number that is not finite in the weights",
        *part, losses_.size() + 1, microbatch + 1, microbatches_,
        training_.optimizer.learning_rate));
  }
  sum += *part;
}

void decoder_training_workload::run_pass(run_context& run) {
  float loss = 0.0F;
  const std::int64_t terms = microbatches_ * microbatch_tokens();
  for (std::int64_t i = 0; i < microbatches_; ++i) {
    const class_view tokens = part(batch_.tokens, i);
    run.phase("forward", [&] { trainer_->forward(tokens); });
    run.phase("loss", [&] { take_loss(trainer_->loss(part(batch_.next, i), terms), i, loss); });
    run.phase("backward", [&] { trainer_->backward(tokens); });
  }
  run.phase("update", [&] { trainer_->update(); });
  if (run.device().computes()) losses_.push_back(loss);
}

void decoder_training_workload::finish(run_context& run) {
  run.phase("evaluate", [&] { evaluate(run); });
  run.phase("export", [&] { export_weights(run); });
}

void decoder_training_workload::evaluate(run_context& run) {
  const batch_tokens own = make_batch(run, 1, evaluation_number);
  trainer_->forward(part(own.tokens, 0), decoder_trainer::keep::nothing);
  evaluation_loss_ = trainer_->loss(part(own.next, 0), microbatch_tokens());
  trainer_->drop_logits();
}

void decoder_training_workload::export_weights(run_context& run) {
  std::int64_t written = 0;
  std::int64_t finite = 0;
  trainer_->export_weights([&](std::span<const float> values) {
    written += static_cast<std::int64_t>(values.size());
    for (const float value : values) finite += std::isfinite(value) ? 1 : 0;
  });
  if (!run.device().computes()) return;
  checks_.push_back({"export",
                     written == model_.parameters() && finite == written,
                     {},
                     {},
                     fmt::format("{} of {} parameters written, {} of them finite", written,
                                 model_.parameters(), finite)});
}

std::vector<std::pair<std::string, std::string>> decoder_training_workload::settings() const {
  return {{"model", kernels::text_of(model_)},
          {"attention", std::string(name_of(training_.form))},
          {"staging", loading_.staging == weight_staging::none ? "none" : "float32"},
          {std::string(workspace_option), fmt::format("{} B", workspace_.n)},
          {"optimizer", std::string(name_of(training_.optimizer.kind))},
          {"learning_rate", fmt::format("{}", training_.optimizer.learning_rate)},
          {"checkpointing", training_.checkpointing.name}};
}

}  // namespace headroom::kernels
