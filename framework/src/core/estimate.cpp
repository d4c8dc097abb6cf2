// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/core/estimate.hpp>
#include <headroom/core/size_text.hpp>

namespace headroom {
namespace {

[[noreturn]] void overflow(std::string_view what) {
  throw usage_error(fmt::format("{} does not fit 64 bits; write smaller figures", what));
}

template <class Keep>
bytes sum_of(const std::vector<estimate_term>& terms, Keep keep) {
  bytes sum;
  for (const estimate_term& term : terms) {
    if (keep(term) && !checked_add(sum.n, term.size.n, sum.n)) overflow("the sum of the terms");
  }
  return sum;
}

/// count x numbers x bits / 8
estimate_term bits_term(std::string name, std::int64_t count, int numbers, int bits,
                        std::string_view counted = "parameters") {
  std::int64_t all = 0;
  if (!checked_multiply(count, numbers, all)) overflow(name);
  estimate_term term{name, fmt::format("{} {} x ", count, counted), {}, basis::computed};
  if (numbers != 1) term.formula += fmt::format("{} numbers x ", numbers);
  term.formula += fmt::format("{} bits / 8", bits);
  term.size = storage_bytes({std::move(name), all, bits, ""});
  return term;
}

constexpr std::string_view allocator_part =
    "the allocator's rounding, cached and split blocks (reserved is more than allocated)";
constexpr std::string_view outside_part = "the CUDA context, memory of libraries, other processes";

}  // namespace

bytes estimate::total() const {
  return sum_of(terms, [](const estimate_term&) { return true; });
}

bytes estimate::computed() const {
  return sum_of(terms, [](const estimate_term& term) { return term.basis == basis::computed; });
}

basis estimate::total_basis() const {
  basis weakest = basis::computed;
  for (const estimate_term& term : terms) weakest = std::max(weakest, term.basis);
  return weakest;
}

estimate estimate_weights(std::span<const weight_group> groups,
                          std::span<const std::int64_t> sharing) {
  estimate result;
  bool with_scales = false;
  bool without_scales = false;  // weights in so few bits that they are likely to have them
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const weight_group& group = groups[i];
    result.terms.push_back(bits_term(group.name, group.parameters, 1, group.bits));
    if (i >= sharing.size() || sharing[i] == 0) {
      without_scales = without_scales || group.bits < 16;
      continue;
    }
    with_scales = true;
    const std::int64_t shares = (group.parameters - 1) / sharing[i] + 1;
    const std::string counted = fmt::format("groups of {}", sharing[i]);
    result.terms.push_back(bits_term(group.name + " scales", shares, 1, 16, counted));
    result.terms.push_back(bits_term(group.name + " zero points", shares, 1, 8, counted));
  }
  result.left_out = {"activations and temporary tensors",
                     "the KV cache of generation (estimate kv-cache)",
                     "gradients and optimizer state of training (estimate training)",
                     "workspaces of matrix and attention libraries"};
  if (without_scales || !with_scales) {
    result.left_out.emplace_back("scales and zero points of quantized weights");
  }
  result.left_out.emplace_back(allocator_part);
  result.left_out.emplace_back(outside_part);
  return result;
}

std::string_view name_of(optimizer_rule kind) {
  switch (kind) {
    case optimizer_rule::adamw:
      return "adamw";
    case optimizer_rule::momentum:
      return "momentum";
    case optimizer_rule::sgd:
      return "sgd";
  }
  return "";
}

std::optional<optimizer_rule> optimizer_rule_from_name(std::string_view name) {
  for (const auto kind : {optimizer_rule::adamw, optimizer_rule::momentum, optimizer_rule::sgd}) {
    if (name_of(kind) == name) return kind;
  }
  return std::nullopt;
}

int states_of(optimizer_rule kind) {
  switch (kind) {
    case optimizer_rule::adamw:
      return 2;
    case optimizer_rule::momentum:
      return 1;
    case optimizer_rule::sgd:
      break;
  }
  return 0;
}

estimate estimate_training(const training_shape& of) {
  estimate result;
  result.terms = {bits_term("weights", of.parameters, 1, of.weight_bits),
                  bits_term("gradients", of.trained, 1, of.gradient_bits),
                  bits_term("optimizer state", of.trained, states_of(of.optimizer), of.state_bits)};
  if (of.master_bits > 0) {
    result.terms.push_back(bits_term("master weights", of.trained, 1, of.master_bits));
  }
  result.left_out = {"activations kept for backward (they follow batch and context)",
                     "temporary tensors of the loss and of the update",
                     "a second copy of the gradients while they are reduced or clipped",
                     "scales of quantized weights or states",
                     "workspaces of matrix and attention libraries",
                     std::string(allocator_part),
                     std::string(outside_part)};
  return result;
}

estimate estimate_of_kv_cache(const kv_cache_request& of) {
  const kv_cache_estimate cache = estimate_kv_cache(of);
  estimate result;
  for (const kv_cache_term& each : cache.terms) {
    if (each.on_host) continue;
    result.terms.push_back({each.name, each.formula, each.size, basis::computed});
  }
  if (cache.host > 0_B) {
    result.left_out.push_back(
        fmt::format("{} in the memory of the host", format_exact(cache.host)));
  }
  if (cache.growth_copy > 0_B) {
    result.left_out.push_back(fmt::format("{} for a moment while the cache grows by a token",
                                          format_exact(cache.growth_copy)));
  }
  result.left_out.insert(result.left_out.end(),
                         {"weights (estimate --parameters)",
                          "activations and temporary tensors, those of prefill above all",
                          "workspaces of matrix and attention libraries",
                          std::string(allocator_part), std::string(outside_part)});
  return result;
}

void add_reserve(estimate& to, std::span<const reserve_item> items) {
  for (const reserve_item& item : items) {
    to.terms.push_back({item.name, item.why, item.size, item.basis});
  }
}

std::string_view name_of(capacity_answer answer) {
  switch (answer) {
    case capacity_answer::fits:
      return "fits";
    case capacity_answer::does_not_fit:
      return "does_not_fit";
    case capacity_answer::cannot_be_told:
      return "cannot_be_told";
  }
  return "";
}

capacity_answer answer_for(const estimate& of, bool has_reserve, bytes capacity) {
  if (capacity < of.total()) return capacity_answer::does_not_fit;
  return has_reserve ? capacity_answer::fits : capacity_answer::cannot_be_told;
}

}  // namespace headroom
