// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom_kernels/decoder_workload.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <headroom_kernels/touch.hpp>
#include <numeric>
#include <utility>

#include "decoder_description.hpp"
#include "dense_description.hpp"

namespace headroom::kernels {
namespace {

constexpr bytes decoder_token_size{sizeof(std::int32_t)};

std::string text_of(bytes size) { return fmt::format("{} B", size.n); }

}  // namespace

out_of_memory_in_decode::out_of_memory_in_decode(const out_of_memory& refused, std::int64_t token,
                                                 std::int64_t tokens, std::int64_t context)
    : out_of_memory(refused.facts()),
      token_(token),
      text_(fmt::format("token {} of {} was not decoded, at a context of up to {} tokens: {}",
                        token, tokens, context, refused.what())) {}

decoder_workload::decoder_workload(workload_description description)
    : description_(std::move(description)), dims_(read_generation(description_, executed_)) {}

void decoder_workload::touch(run_context& run) {
  for (device* each : run.devices()) touch_libraries(*each, dims_.model.type, dims_.workspace);
}

void decoder_workload::load(run_context& run) {
  products_ = std::make_unique<matrix_library>(run.device(), stream_id{}, dims_.workspace);
  network_ = std::make_unique<decoder_network>(run.device(), stream_id{}, dims_.model,
                                               description_.seed, dims_.loading);
}

void decoder_workload::make_inputs(run_context& run) {
  const std::int64_t shared = dims_.cache.shared_prefix;
  const std::int64_t tokens =
      std::accumulate(dims_.prompts.begin(), dims_.prompts.end(), shared,
                      [&](std::int64_t sum, std::int64_t prompt) { return sum + prompt - shared; });
  prompts_ = buffer(run.device(), tokens * decoder_token_size, tag::inputs);
  chosen_ =
      buffer(run.device(), (dims_.decode + 1) * std::ssize(dims_.prompts) * decoder_token_size,
             tag::inputs);
  fill_classes(run.device(), stream_id{}, {static_cast<std::int32_t*>(prompts_.address()), tokens},
               seed_of(description_.seed, input_number), dims_.model.vocabulary);
}

class_view decoder_workload::chosen() const {
  return {static_cast<std::int32_t*>(chosen_.address()), chosen_.size().n / decoder_token_size.n};
}

/// Runs a step and chooses the token of each sequence behind it, row `row` of the chosen ones.
void decoder_workload::step(run_context& run, const decoder_step& fed, std::int64_t row) {
  const tensor logits = network_->forward(*products_, *cache_, fed, dims_.how);
  const std::int64_t sequences = std::ssize(dims_.prompts);
  largest_of_rows(run.device(), stream_id{}, logits,
                  {chosen().address + row * sequences, sequences});
}

std::unique_ptr<kv_cache> decoder_workload::make_cache(run_context& run) const {
  return kv_cache::make(run.device(), stream_id{}, dims_.cache);
}

void decoder_workload::prefill(run_context& run) {
  cache_ = make_cache(run);
  const std::int64_t shared = dims_.cache.shared_prefix;
  auto* const prompts = static_cast<std::int32_t*>(prompts_.address());
  if (shared > 0) prefill_shared({prompts, shared});
  decoder_step fed;
  for (std::size_t i = 0; i < dims_.prompts.size(); ++i) {
    fed.spans.push_back({static_cast<std::int64_t>(i), dims_.prompts[i] - shared});
    fed.tokens.count += fed.spans.back().count;
  }
  fed.tokens.address = prompts + shared;
  step(run, fed, 0);
}

/// Runs what all prompts begin with once, in the first sequence; the others have it from there.
void decoder_workload::prefill_shared(const class_view& tokens) {
  decoder_step fed;
  fed.tokens = tokens;
  fed.spans.push_back({0, tokens.count});
  static_cast<void>(network_->forward(*products_, *cache_, fed, dims_.how));
  for (std::int64_t i = 1; i < std::ssize(dims_.prompts); ++i) cache_->share(0, i, tokens.count);
}

void decoder_workload::decode(run_context& run) {
  const std::int64_t sequences = std::ssize(dims_.prompts);
  decoder_step fed;
  for (std::int64_t i = 0; i < sequences; ++i) fed.spans.push_back({i, 1});
  for (; decoded_ < dims_.decode; ++decoded_) {
    fed.tokens = {chosen().address + decoded_ * sequences, sequences};
    try {
      step(run, fed, decoded_ + 1);
    } catch (const out_of_memory& refused) {
      const std::int64_t longest = *std::max_element(dims_.prompts.begin(), dims_.prompts.end());
      throw out_of_memory_in_decode(refused, decoded_ + 1, dims_.decode, longest + decoded_ + 1);
    }
  }
  held_ = cache_->held();
}

void decoder_workload::run_pass(run_context& run) {
  decoded_ = 0;
  held_.reset();
  run.phase("prefill", [&] { prefill(run); });
  run.phase("decode", [&] { decode(run); });
  cache_.reset();
}

std::vector<std::pair<std::string, std::string>> decoder_workload::settings() const {
  const kv_cache_estimate formula = estimate_kv_cache(dims_.cache.request());
  std::vector<std::pair<std::string, std::string>> made{
      {"model", kernels::text_of(dims_.model)},
      {"cache", std::string(name_of(dims_.cache.strategy))},
      {"attention", std::string(name_of(dims_.how.form))},
      {"staging", dims_.loading.staging == weight_staging::none ? "none" : "float32"},
      {"weights", std::string(name_of(dims_.loading.storage.format))},
      {std::string(workspace_option), text_of(dims_.workspace)},
      {"decoded", fmt::format("{} of {} tokens", decoded_, dims_.decode)},
      {"kv_cache_formula", text_of(formula.device)}};
  if (dims_.loading.storage.format != weight_format::plain) {
    const auto estimate =
        estimate_quantized_weights(weights_request(dims_.model, dims_.loading.storage));
    made.emplace_back("weights_naive", text_of(estimate.naive));
    for (const weight_term& each : estimate.terms) {
      made.emplace_back("weights: " + each.name, each.formula + " = " + text_of(each.size));
    }
  }
  if (const std::int64_t shared = dims_.cache.shared_prefix; shared > 0) {
    const std::int64_t copied = shared % dims_.cache.block_tokens;
    made.emplace_back(
        "shared_prefix",
        fmt::format("{} tokens of {} sequences: {} held once, {} copied to each other "
                    "sequence",
                    shared, dims_.prompts.size(), shared - copied, copied));
  }
  if (formula.host > bytes{}) made.emplace_back("kv_cache_formula_host", text_of(formula.host));
  if (held_) {
    made.emplace_back("kv_cache_requested", text_of(held_->requested));
    made.emplace_back("kv_cache_allocated", text_of(held_->allocated));
  }
  return made;
}

}  // namespace headroom::kernels
