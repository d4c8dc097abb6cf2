// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <cmath>
#include <headroom/device/cpu_device.hpp>
#include <headroom_kernels/decoder_network.hpp>
#include <string>
#include <vector>

#include "values.hpp"

/// Decoders on the cpu device, for tests.
namespace headroom::kernels::test {

/// Sizes that differ from each other, with two query heads for each KV head.
inline decoder_shape small_decoder(dtype type = dtype::float32) {
  decoder_shape dims;
  dims.layers = 2;
  dims.width = 24;
  dims.heads = 4;
  dims.kv_heads = 2;
  dims.head_dim = 8;
  dims.ffn = 40;
  dims.vocabulary = 50;
  dims.type = type;
  return dims;
}

inline kv_cache_settings cache_for(const decoder_shape& dims, kv_cache_strategy strategy,
                                   std::vector<std::int64_t> lengths) {
  kv_cache_settings made;
  made.strategy = strategy;
  made.layers = dims.layers;
  made.kv_heads = dims.kv_heads;
  made.head_dim = dims.head_dim;
  made.type = dims.type;
  made.lengths = std::move(lengths);
  for (const std::int64_t each : made.lengths) made.capacity = std::max(made.capacity, each);
  made.window = 4;
  made.block_tokens = 3;
  return made;
}

/// Tokens of one sequence, or NaN-free numbers below the vocabulary, the same in each run.
inline std::vector<std::int32_t> some_tokens(std::int64_t count, std::int64_t vocabulary,
                                             std::uint32_t seed) {
  std::vector<std::int32_t> made;
  for (const float each : random_values(count, seed)) {
    made.push_back(
        static_cast<std::int32_t>((each + 1.0F) * 0.5F * static_cast<float>(vocabulary)));
  }
  return made;
}

/// A network with a cache, fed with tokens of the host.
class running_decoder {
 public:
  running_decoder(device& on, const decoder_network& network, const kv_cache_settings& settings,
                  const decoder_run& how = {})
      : on_(on),
        network_(network),
        how_(how),
        products_(on, {}),
        cache_(kv_cache::make(on, {}, settings)) {}

  /// Logits of the last token of each sequence that has tokens.
  std::vector<float> step(const std::vector<std::vector<std::int32_t>>& by_sequence) {
    std::vector<std::int32_t> all;
    decoder_step made;
    for (std::size_t i = 0; i < by_sequence.size(); ++i) {
      if (by_sequence[i].empty()) continue;
      made.spans.push_back(
          {static_cast<std::int64_t>(i), static_cast<std::int64_t>(by_sequence[i].size())});
      all.insert(all.end(), by_sequence[i].begin(), by_sequence[i].end());
    }
    const bytes size{static_cast<std::int64_t>(all.size() * sizeof(std::int32_t))};
    const buffer tokens(on_, size, tag::inputs);
    on_.copy_to_device(tokens.address(), all.data(), size, {});
    made.tokens = {static_cast<std::int32_t*>(tokens.address()),
                   static_cast<std::int64_t>(all.size())};
    const tensor logits = network_.forward(products_, *cache_, made, how_);
    return read(on_, logits);
  }

  [[nodiscard]] kv_cache& cache() { return *cache_; }

 private:
  device& on_;
  const decoder_network& network_;
  decoder_run how_;
  matrix_library products_;
  std::unique_ptr<kv_cache> cache_;
};

/// The largest difference, by the largest magnitude of `expected`.
inline double relative_difference(const std::vector<float>& found,
                                  const std::vector<float>& expected) {
  if (found.size() != expected.size()) return 1e30;
  double most = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double off = static_cast<double>(found[i]) - static_cast<double>(expected[i]);
    most = std::isfinite(off) ? std::max(most, std::abs(off)) : 1e30;
    size = std::max(size, std::abs(static_cast<double>(expected[i])));
  }
  return most / size;
}

/// One step: tokens of each sequence, from memory of zeros, layer by layer.
inline void append(device& on, kv_cache& cache, const std::vector<std::int64_t>& tokens) {
  const kv_cache_settings& kept = cache.settings();
  const std::int64_t most = *std::max_element(tokens.begin(), tokens.end());
  const bytes size = most * kept.width() * size_of(kept.type);
  const buffer zeros(on, size, tag::other);
  on.fill_zero(zeros.address(), size, {});
  cache.require_room(tokens);
  for (std::int64_t layer = 0; layer < kept.layers; ++layer) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i] == 0) continue;
      cache.append(layer, static_cast<std::int64_t>(i),
                   {zeros.address(), zeros.address(), tokens[i], kept.width(), kept.type});
    }
  }
}

}  // namespace headroom::kernels::test
