// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom_kernels/decoder_network.hpp>
#include <headroom_kernels/ops/convert.hpp>
#include <headroom_kernels/ops/copy_rows.hpp>
#include <headroom_kernels/ops/embedding.hpp>
#include <headroom_kernels/ops/fill.hpp>
#include <headroom_kernels/ops/rms_norm.hpp>
#include <headroom_kernels/ops/rotary.hpp>
#include <headroom_kernels/ops/silu_gate.hpp>

#include "fresh_keys.hpp"

namespace headroom::kernels {
namespace {

/// What a cache retains. Where a window has dropped tokens, the last query sees all that is left.
class cached_keys final : public attention_keys {
 public:
  cached_keys(kv_cache& cache, std::int64_t layer, std::int64_t sequence)
      : cache_(cache), layer_(layer), sequence_(sequence) {}
  [[nodiscard]] std::int64_t count() const override { return cache_.retained(layer_, sequence_); }
  [[nodiscard]] std::int64_t first_position() const override { return 0; }
  [[nodiscard]] kv_rows read(std::int64_t first, std::int64_t count) override {
    return cache_.read(layer_, sequence_, first, count, scratch_);
  }
  [[nodiscard]] bool complete() const { return count() == cache_.tokens(layer_, sequence_); }

 private:
  kv_cache& cache_;
  std::int64_t layer_;
  std::int64_t sequence_;
  kv_scratch scratch_;
};

void* element(const tensor& of, std::int64_t index) {
  return static_cast<std::byte*>(of.address()) + index * size_of(of.type()).n;
}

/// @throws usage_error when the spans do not make up the tokens, or the cache has no room
void check_step(const decoder_step& step, const decoder_run& how, const kv_cache& cache) {
  const kv_cache_settings& kept = cache.settings();
  if (kept.strategy == kv_cache_strategy::sliding_window && how.window != kept.window) {
    throw usage_error(fmt::format(
        "a step whose queries see {} tokens (0: all) over a cache with a window of {}; give both "
        "one window",
        how.window, kept.window));
  }
  const auto sequences = static_cast<std::int64_t>(cache.settings().lengths.size());
  std::vector<std::int64_t> fresh(cache.settings().lengths.size());
  std::int64_t all = 0;
  for (const token_span& each : step.spans) {
    if (each.sequence < 0 || each.sequence >= sequences || each.count < 1 ||
        fresh[static_cast<std::size_t>(each.sequence)] > 0) {
      throw usage_error(fmt::format(
          "a step has {} tokens for sequence {}; give each of the {} sequences at most one span, "
          "of 1 token or more",
          each.count, each.sequence, sequences));
    }
    fresh[static_cast<std::size_t>(each.sequence)] = each.count;
    all += each.count;
  }
  if (all != step.tokens.count) {
    throw usage_error(
        fmt::format("a step has {} tokens and spans of {}; give as many", step.tokens.count, all));
  }
  cache.require_room(fresh);
}

}  // namespace

decoder_network::decoder_network(device& on, stream_id stream, const decoder_shape& dims,
                                 std::uint64_t seed, const weight_loading& loading)
    : device_(on), stream_(stream), dims_(dims) {
  check_shape(dims);
  std::uint64_t number = 0;
  // Uniform with variance 1 / summed: a sum of as many products keeps its terms' size.
  const auto scale = [](std::int64_t summed) {
    return std::sqrt(3.0F / static_cast<float>(summed));
  };
  const auto keep = [&](tensor& weight, const shape& of, std::int64_t summed) {
    load(weight, of, scale(summed), seed_of(seed, number++), loading.staging);
  };
  const auto make = [&](linear_weight& weight, const shape& of) {
    load(weight, of, scale(of.rows()), seed_of(seed, number++), loading);
  };
  const axis width{"width", dims.width};
  keep(embedding_, {{"vocabulary", dims.vocabulary}, width}, 1);
  layers_.reserve(static_cast<std::size_t>(dims.layers));
  for (std::int64_t i = 0; i < dims.layers; ++i) {
    layer& own = layers_.emplace_back();
    keep(own.attention_norm, {width}, 1);
    make(own.projections, {width, {"projections", dims.projections()}});
    make(own.attention_output, {{"queries", dims.queries()}, width});
    keep(own.mlp_norm, {width}, 1);
    make(own.gate_up, {width, {"gate and up", 2 * dims.ffn}});
    make(own.down, {{"ffn", dims.ffn}, width});
  }
  keep(final_norm_, {width}, 1);
  if (!dims.tied) keep(output_, {{"vocabulary", dims.vocabulary}, width}, dims.width);
}

void decoder_network::load(tensor& weight, const shape& dims, float scale, std::uint64_t seed,
                           weight_staging staging) {
  weight = tensor(device_, stream_, dims, dims_.type, tag::weights);
  if (staging == weight_staging::none) {
    fill_uniform(device_, stream_, weight, seed, scale);
    return;
  }
  const tensor made(device_, stream_, dims, dtype::float32, tag::temporary);
  fill_uniform(device_, stream_, made, seed, scale);
  convert(device_, stream_, made, weight);
}

void decoder_network::load(linear_weight& weight, const shape& dims, float scale,
                           std::uint64_t seed, const weight_loading& loading) {
  const bool packed = loading.storage.format != weight_format::plain;
  weight = linear_weight(device_, stream_, dims, dims_.type, loading.storage);
  if (!packed && loading.staging == weight_staging::none) {
    fill_uniform(device_, stream_, weight.plain(), seed, scale);
    return;
  }
  const bool wide = loading.staging == weight_staging::float32;
  const tensor made(device_, stream_, dims, wide ? dtype::float32 : dims_.type, tag::temporary);
  fill_uniform(device_, stream_, made, seed, scale);
  if (packed) {
    weight.store(device_, stream_, made);
  } else {
    convert(device_, stream_, made, weight.plain());
  }
}

void decoder_network::project(matrix_library& products, const matrix_view& x,
                              const linear_weight& weight, float beta, const tensor_view& y) const {
  weight.multiply(device_, stream_, products, x, beta, matrix_of(y));
}

tensor decoder_network::activation(std::int64_t rows, std::int64_t width) const {
  return {device_, stream_, {{"tokens", rows}, {"width", width}}, dims_.type, tag::activations};
}

tensor decoder_network::normed(const tensor& x, const tensor& weight) const {
  tensor y(device_, stream_, x.dims(), x.type(), tag::activations);
  rms_norm(device_, stream_, x, weight, dims_.norm_epsilon, y);
  return y;
}

void decoder_network::attention_block(std::int64_t which, matrix_library& products, kv_cache& cache,
                                      const decoder_step& step, const decoder_run& how,
                                      const tensor& x) const {
  const layer& own = layers_[static_cast<std::size_t>(which)];
  const std::int64_t leading = dims_.projections();
  tensor projected = activation(step.tokens.count, leading);
  project(products, matrix_of(normed(x, own.attention_norm)), own.projections, 0.0F, projected);
  const tensor y = activation(step.tokens.count, dims_.queries());
  attention_settings settings{dims_.heads, dims_.kv_heads, dims_.head_dim,
                              dims_.type,  how.form,       how.window};
  std::int64_t row = 0;
  for (const token_span& span : step.spans) {
    const std::int64_t behind = cache.tokens(which, span.sequence);
    void* const first = element(projected, row * leading);
    rotary(device_, stream_,
           {first, span.count, leading, dims_.heads + dims_.kv_heads, dims_.head_dim, dims_.type},
           behind, dims_.rotary_base);
    const kv_rows fresh{element(projected, row * leading + dims_.queries()),
                        element(projected, row * leading + dims_.queries() + dims_.keys()),
                        span.count, leading, dims_.type};
    cache.append(which, span.sequence, fresh);
    const attention_queries queries{
        first, span.count, leading, behind, element(y, row * dims_.queries()), dims_.queries()};
    if (behind == 0) {
      fresh_keys keys(fresh);
      attend(device_, stream_, products, settings, queries, keys);
    } else {
      cached_keys keys(cache, which, span.sequence);
      settings.window = keys.complete() ? how.window : 0;
      attend(device_, stream_, products, settings, queries, keys);
    }
    row += span.count;
  }
  projected = {};
  project(products, matrix_of(y), own.attention_output, 1.0F, x);
}

void decoder_network::mlp_block(const layer& own, matrix_library& products, const tensor& x) const {
  const tensor gate_up = activation(x.dims().rows(), 2 * dims_.ffn);
  project(products, matrix_of(normed(x, own.mlp_norm)), own.gate_up, 0.0F, gate_up);
  silu_gate(device_, stream_, gate_up, left_half(gate_up));
  project(products, left_half(gate_up), own.down, 1.0F, x);
}

tensor decoder_network::last_rows(const decoder_step& step, tensor x) const {
  const auto spans = static_cast<std::int64_t>(step.spans.size());
  if (spans == step.tokens.count) return x;
  tensor last = activation(spans, dims_.width);
  std::int64_t row = -1;
  std::int64_t to = 0;
  for (const token_span& span : step.spans) {
    row += span.count;
    const auto one = [&](const tensor& of, std::int64_t at) {
      return matrix_view{
          element(of, at * dims_.width), 1, dims_.width, dims_.width, dims_.type, false};
    };
    copy_rows(device_, stream_, one(x, row), one(last, to++));
  }
  return last;
}

tensor decoder_network::forward(matrix_library& products, kv_cache& cache, const decoder_step& step,
                                const decoder_run& how) const {
  check_step(step, how, cache);
  tensor x = activation(step.tokens.count, dims_.width);
  kernels::embedding(device_, stream_, embedding_, step.tokens, x);
  for (std::int64_t i = 0; i < dims_.layers; ++i) {
    attention_block(i, products, cache, step, how, x);
    mlp_block(layers_[static_cast<std::size_t>(i)], products, x);
  }
  const tensor last = last_rows(step, std::move(x));
  rms_norm(device_, stream_, last, final_norm_, dims_.norm_epsilon, last);
  tensor logits(device_, stream_,
                {{"sequences", last.dims().rows()}, {"vocabulary", dims_.vocabulary}},
                dtype::float32, tag::activations);
  products.multiply(matrix_of(last), transpose(matrix_of(output())), matrix_of(logits));
  return logits;
}

}  // namespace headroom::kernels
