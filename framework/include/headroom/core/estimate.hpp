// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/budget.hpp>
#include <headroom/core/kv_cache_estimate.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// One figure of an estimate, with the formula that it comes from.
struct estimate_term {
  std::string name;
  std::string formula;  ///< with its numbers: "7000000000 parameters x 16 bits / 8"
  bytes size;
  headroom::basis basis = basis::computed;
};

/// Terms that add up, and what none of them has.
struct estimate {
  std::vector<estimate_term> terms;
  std::vector<std::string> left_out;

  /// A planning figure, never an observed peak. @throws usage_error when it does not fit 64 bits
  [[nodiscard]] bytes total() const;
  /// Of the terms whose basis is `computed`.
  [[nodiscard]] bytes computed() const;
  /// The weakest basis of its terms.
  [[nodiscard]] headroom::basis total_basis() const;
};

/// Weights by group, each with its own bits. @throws usage_error when they do not fit 64 bits
/// @param sharing  of each group, in their order, how many of its weights share a scale of 16 bits
///                 and a zero point of 8; 0, or not there: they have none
[[nodiscard]] estimate estimate_weights(std::span<const weight_group> groups,
                                        std::span<const std::int64_t> sharing = {});

enum class optimizer_rule { adamw, momentum, sgd };
[[nodiscard]] std::string_view name_of(optimizer_rule kind);
[[nodiscard]] std::optional<optimizer_rule> optimizer_rule_from_name(std::string_view name);
/// Numbers that the optimizer keeps of each trained parameter: 2, 1 or 0.
[[nodiscard]] int states_of(optimizer_rule kind);

/// What training keeps from step to step. Bits are of one number as it is stored.
struct training_shape {
  std::int64_t parameters = 0;
  std::int64_t trained = 0;  ///< parameters that are updated
  int weight_bits = 16;
  int gradient_bits = 32;
  optimizer_rule optimizer = optimizer_rule::adamw;
  int state_bits = 32;
  int master_bits = 0;  ///< of a second copy of the trained weights; 0: there is none
};

/// @throws usage_error when a term does not fit 64 bits
[[nodiscard]] estimate estimate_training(const training_shape& of);

/// The parts of a KV cache that are on the device; what is on the host, and what is there for a
/// moment while it grows, is named in what is left out. @throws usage_error as estimate_kv_cache
[[nodiscard]] estimate estimate_of_kv_cache(const kv_cache_request& of);

/// Adds the reserve as terms of their own. Where there is one, the estimate speaks for the whole.
void add_reserve(estimate& to, std::span<const reserve_item> items);

/// What an estimate says of a capacity.
enum class capacity_answer { fits, does_not_fit, cannot_be_told };
[[nodiscard]] std::string_view name_of(capacity_answer answer);

/// `fits` needs a reserve: without one, what is left out is not in the figure.
/// @param has_reserve  whether add_reserve was given items
[[nodiscard]] capacity_answer answer_for(const estimate& of, bool has_reserve, bytes capacity);

}  // namespace headroom
