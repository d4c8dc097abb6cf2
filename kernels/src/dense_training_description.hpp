// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/workload_description.hpp>
#include <headroom_kernels/dense_shape.hpp>
#include <headroom_kernels/dense_trainer.hpp>
#include <headroom_kernels/reduction.hpp>
#include <string_view>

/// What the workload "dense" reads from its description when it trains. All throw usage_error that
/// says what to write.
namespace headroom::kernels {

inline constexpr std::string_view loss_option = "loss";
inline constexpr std::string_view optimizer_option = "optimizer";
inline constexpr std::string_view rate_option = "learning_rate";
inline constexpr std::string_view checkpointing_option = "checkpointing";
inline constexpr std::string_view verify_option = "verify";
inline constexpr std::string_view reduction_option = "reduction";

/// The description, whose names are known.
[[nodiscard]] workload_description checked_training(workload_description of);
[[nodiscard]] std::int64_t read_microbatches(const workload_description& of);
[[nodiscard]] std::int64_t read_replicas(const workload_description& of);
[[nodiscard]] dense_shape read_microbatch(const workload_description& of);
[[nodiscard]] training_settings read_training(const workload_description& of, std::int64_t layers);
/// Whether checkpointing is compared with another policy.
[[nodiscard]] bool read_verify(const workload_description& of);
[[nodiscard]] reduction_choice read_reduction(const workload_description& of,
                                              std::int64_t replicas);

}  // namespace headroom::kernels
