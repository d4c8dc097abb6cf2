// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "dense_training_description.hpp"

#include <fmt/format.h>

#include <array>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>

#include "dense_description.hpp"

namespace headroom::kernels {
namespace {

constexpr std::array<std::string_view, 6> dimension_names{"batch",  "context",      "width",
                                                          "layers", "microbatches", "replicas"};
constexpr std::int64_t most_replicas = 1024;
constexpr std::array<std::string_view, 9> option_names{
    loss_option,          optimizer_option, rate_option,      checkpointing_option, adapters_option,
    adapter_scale_option, verify_option,    reduction_option, workspace_option};

}  // namespace

workload_description checked_training(workload_description of) {
  check_dense_names(of, "train", dimension_names, option_names);
  return of;
}

std::int64_t read_microbatches(const workload_description& of) {
  return of.requested.find("microbatches") ? read_dense_size(of, "microbatches") : 1;
}

std::int64_t read_replicas(const workload_description& of) {
  if (!of.requested.find("replicas")) return 1;
  const std::int64_t replicas = read_dense_size(of, "replicas");
  if (replicas <= most_replicas) return replicas;
  throw usage_error(fmt::format("replicas is {}; give {} or less", replicas, most_replicas));
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

reduction_choice read_reduction(const workload_description& of, std::int64_t replicas) {
  const auto name = of.find_option(reduction_option);
  if (!name) return reduction_choice::automatic;
  const reduction_choice which = reduction_choice_from_name(*name);
  if (replicas > 1) return which;
  throw usage_error(
      fmt::format("{} is given, and replicas is 1: there is nothing to add up; give two replicas "
                  "or more, or leave the option out",
                  reduction_option));
}

}  // namespace headroom::kernels
