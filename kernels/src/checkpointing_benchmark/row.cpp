// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>

namespace headroom::kernels {
namespace {

constexpr const char* baseline_policy = "none";

}  // namespace

void checkpointing_baseline::take_time(::benchmark::IterationCount iterations, double seconds) {
  times_.emplace_back(iterations, seconds);
}

std::optional<bytes> checkpointing_baseline::worst(counter_id counter) const {
  return memory_ ? memory_->worst(counter) : std::nullopt;
}

std::optional<double> checkpointing_baseline::seconds() const {
  ::benchmark::IterationCount most = 0;
  for (const auto& [iterations, seconds] : times_) most = std::max(most, iterations);
  std::vector<double> reported;
  for (const auto& [iterations, seconds] : times_) {
    if (iterations == most) reported.push_back(seconds);
  }
  if (reported.empty()) return std::nullopt;
  std::sort(reported.begin(), reported.end());
  const std::size_t middle = reported.size() / 2;
  return reported.size() % 2 == 1 ? reported[middle]
                                  : (reported[middle - 1] + reported[middle]) / 2;
}

checkpointing_row::checkpointing_row(device& on, const device_memory_manager& manager,
                                     const checkpointing_options& options, std::string policy,
                                     std::int64_t layers,
                                     std::shared_ptr<checkpointing_baseline> none)
    : on_(on),
      manager_(manager),
      training_(options.training(policy, layers)),
      policy_(std::move(policy)),
      layers_(layers),
      none_(std::move(none)),
      benchmark_(on, fmt::format("checkpointing/{}/layers:{}", policy_, layers),
                 [this] { return make(); }, {{1, 2}, 1, options.artifact_folder}) {}

std::unique_ptr<workload> checkpointing_row::make() {
  try {
    if (policy_ != baseline_policy) {
      return std::make_unique<compared_training>(training_, none_->results());
    }
    return std::make_unique<compared_training>(
        training_, nullptr, [this](auto results) { none_->take_results(std::move(results)); });
  } catch (const usage_error&) {
    refused_ = true;
    throw;
  }
}

void checkpointing_row::run(::benchmark::State& state) {
  const std::optional<double> seconds = benchmark_.run(state);
  if (!seconds) {
    failure_ = benchmark_.failure().empty() ? "failed in the timed passes" : benchmark_.failure();
    return;
  }
  if (policy_ == baseline_policy) {
    none_->take_memory(*benchmark_.memory());
    // Google Benchmark's memory pass runs the benchmark once more; that time is not reported.
    if (!manager_.in_memory_pass()) none_->take_time(state.iterations(), *seconds);
  }
  compare_with_none(state, *seconds);
}

void checkpointing_row::compare_with_none(::benchmark::State& state, double seconds) const {
  for (const counter_id counter : {counter_id::allocated_peak, counter_id::reserved_peak}) {
    const std::optional<bytes> base = none_->worst(counter);
    const std::optional<bytes> own = benchmark_.memory()->worst(counter);
    if (!base || !own) continue;
    state.counters[fmt::format("saved_{}", name_of(counter))] = byte_counter(*base - *own);
  }
  const std::optional<double> base = none_->seconds();
  if (!base || !on_.computes()) return;
  state.counters["time_against_none"] = policy_ == baseline_policy ? 1.0 : seconds / *base;
}

}  // namespace headroom::kernels
