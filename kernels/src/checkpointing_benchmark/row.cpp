// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "row.hpp"

#include <fmt/format.h>

#include <headroom/core/error.hpp>

namespace headroom::kernels {

checkpointing_row::checkpointing_row(device& on, const checkpointing_options& options,
                                     std::string policy, std::int64_t layers,
                                     std::shared_ptr<checkpointing_row> none)
    : on_(on),
      training_(options.training(policy, layers)),
      policy_(std::move(policy)),
      layers_(layers),
      none_(std::move(none)),
      benchmark_(on, fmt::format("checkpointing/{}/layers:{}", policy_, layers),
                 [this] { return make(); }, {{1, 2}, 1, options.artifact_folder}) {}

std::unique_ptr<workload> checkpointing_row::make() {
  try {
    if (none_) return std::make_unique<compared_training>(training_, none_->results_);
    return std::make_unique<compared_training>(
        training_, nullptr, [this](auto results) { results_ = std::move(results); });
  } catch (const usage_error&) {
    refused_ = true;
    throw;
  }
}

void checkpointing_row::run(::benchmark::State& state) {
  if (none_) none_->measure_memory();
  if (!benchmark_.run(state)) {
    failure_ = benchmark_.failure().empty() ? "failed in the timed passes" : benchmark_.failure();
    return;
  }
  add_saved(state.counters);
}

void checkpointing_row::add_saved(::benchmark::UserCounters& to) const {
  const memory_passes* const base = none_ ? none_->benchmark_.memory() : benchmark_.memory();
  if (base == nullptr) return;
  for (const counter_id counter : {counter_id::allocated_peak, counter_id::reserved_peak}) {
    const std::optional<bytes> of_none = base->worst(counter);
    const std::optional<bytes> own = benchmark_.memory()->worst(counter);
    if (!of_none || !own) continue;
    to[fmt::format("saved_{}", name_of(counter))] = byte_counter(*of_none - *own);
  }
}

}  // namespace headroom::kernels
