// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom_kernels/generation_plan.hpp>
#include <initializer_list>

namespace headroom::kernels {
namespace {

constexpr bytes allocator_block{512};

/// Sums of tensors, each rounded up, that refuse what does not fit 64 bits.
class tensor_bytes {
 public:
  static bytes of(const shape& dims, dtype type) { return rounded(storage_of(dims, type)); }
  static bytes raw(std::int64_t size) { return rounded(bytes{size}); }
  static bytes sum(std::initializer_list<bytes> parts) {
    bytes all;
    for (const bytes each : parts) {
      if (!checked_add(all.n, each.n, all.n)) refuse();
    }
    return all;
  }
  static bytes times(bytes each, std::int64_t count) {
    bytes all;
    if (!checked_multiply(each.n, count, all.n)) refuse();
    return all;
  }

 private:
  [[noreturn]] static void refuse() {
    throw usage_error("the bytes of a generation do not fit 64 bits; make a size smaller");
  }
  static bytes rounded(bytes size) {
    return round_up(sum({size, allocator_block}) - allocator_block, allocator_block);
  }
};

/// Activations while `rows` tokens pass one layer, and behind the last.
bytes activations_of(const decoder_shape& dims, std::int64_t rows, std::int64_t sequences) {
  const auto wide = [&](std::int64_t count, std::int64_t width, dtype type) {
    return tensor_bytes::of({{"tokens", count}, {"width", width}}, type);
  };
  const bytes x = wide(rows, dims.width, dims.type);
  const bytes projected = wide(rows, dims.projections(), dims.type);
  const bytes queries = wide(rows, dims.queries(), dims.type);
  const bytes gate_up = wide(rows, 2 * dims.ffn, dims.type);
  const bytes last = wide(sequences, dims.width, dims.type);
  const bytes logits = wide(sequences, dims.vocabulary, dtype::float32);
  const bytes moved = rows == sequences ? bytes{} : x;  // beside its last rows
  return std::max({tensor_bytes::sum({x, projected, std::max(x, queries)}),
                   tensor_bytes::sum({x, gate_up, x}), tensor_bytes::sum({moved, last}),
                   tensor_bytes::sum({last, logits})});
}

/// Working memory of attention for `queries` tokens of a sequence that has `keys`.
bytes attention_of(const generation_shape& of, std::int64_t queries, std::int64_t keys) {
  const attention_settings defaults;
  const decoder_shape& dims = of.model;
  const axis heads{"heads", dims.heads};
  if (of.how.form == attention_form::materialised) {
    return tensor_bytes::of({heads, {"queries", queries}, {"keys", keys}}, dims.type);
  }
  const axis rows{"queries", std::min(queries, defaults.tile_queries)};
  const shape tile{heads, rows, {"keys", defaults.tile_keys}};
  const bytes line = tensor_bytes::of({heads, rows}, dtype::float32);
  return tensor_bytes::sum(
      {tensor_bytes::of(tile, dtype::float32),
       dims.type == dtype::float32 ? bytes{} : tensor_bytes::of(tile, dims.type), line, line,
       tensor_bytes::of({heads, rows, {"head_dim", dims.head_dim}}, dtype::float32)});
}

/// What a cache puts together for one sequence, where its rows do not lie side by side.
bytes scratch_of(const generation_shape& of, std::int64_t keys) {
  const kv_cache_strategy strategy = of.cache.strategy;
  if (strategy != kv_cache_strategy::paged && strategy != kv_cache_strategy::quantized) return {};
  const std::int64_t rows =
      of.how.form == attention_form::tiled ? std::min(keys, attention_settings{}.tile_keys) : keys;
  return tensor_bytes::times(
      tensor_bytes::of({{"tokens", rows}, {"width", of.model.keys()}}, of.model.type), 2);
}

std::int64_t groups_of(const shape& dims, std::int64_t group) {
  return ((dims.rows() - 1) / group + 1) * dims.width();
}

/// One kind of weight: what is stored of it, and what stands beside it while it is loaded or used.
void add_weight(const generation_shape& of, const decoder_parameter& each,
                generation_sizes& sizes) {
  const weight_storage& storage = of.loading.storage;
  const bool packed = each.linear && storage.format != weight_format::plain;
  const bytes plain = tensor_bytes::of(each.dims, of.model.type);
  bytes one = plain;
  if (packed) {
    const std::int64_t numbers = each.dims.elements();
    const std::int64_t groups = groups_of(each.dims, storage.group);
    one = tensor_bytes::sum(
        {tensor_bytes::raw(storage.format == weight_format::int8 ? numbers : numbers / 2),
         tensor_bytes::raw(2 * groups), tensor_bytes::raw(groups)});
    sizes.unpacked = std::max(sizes.unpacked, plain);
  }
  sizes.weights = tensor_bytes::sum({sizes.weights, tensor_bytes::times(one, each.count)});
  if (of.loading.staging == weight_staging::float32) {
    sizes.staging = std::max(sizes.staging, tensor_bytes::of(each.dims, dtype::float32));
  } else if (packed) {
    sizes.staging = std::max(sizes.staging, plain);
  }
}

}  // namespace

quantized_weights_request weights_request(const decoder_shape& of, const weight_storage& storage) {
  quantized_weights_request made;
  made.bits = storage.format == weight_format::int4 ? 4 : 8;
  made.group = storage.group;
  made.kept_bits = static_cast<int>(8 * size_of(of.type).n);
  for (const decoder_parameter& each : parameters_of(of)) {
    if (each.linear) {
      made.quantized.push_back({each.dims.rows(), each.dims.width(), each.count});
    } else {
      made.kept_parameters += each.dims.elements() * each.count;
    }
  }
  return made;
}

generation_sizes size_generation(const generation_shape& of) {
  check_shape(of.model);
  generation_sizes sizes;
  for (const decoder_parameter& each : parameters_of(of.model)) add_weight(of, each, sizes);
  const auto sequences = static_cast<std::int64_t>(of.prompts.size());
  const std::int64_t shared = of.cache.shared_prefix;
  bytes behind;  // of the shared prefix, which runs before the prompts do
  for (const std::int64_t each : of.prompts) {
    behind = tensor_bytes::sum({behind, bytes{each - shared}});
  }
  const std::int64_t rows = tensor_bytes::sum({behind, bytes{shared}}).n;
  // A token is four bytes, as a float32 is.
  sizes.inputs = tensor_bytes::sum(
      {tensor_bytes::of({{"tokens", rows}}, dtype::float32),
       tensor_bytes::of({{"steps", of.decode + 1}, {"sequences", sequences}}, dtype::float32)});
  sizes.cache = estimate_kv_cache(of.cache.request());
  sizes.activations = std::max(activations_of(of.model, behind.n, sequences),
                               activations_of(of.model, sequences, sequences));
  if (shared > 0) {
    sizes.activations = std::max(sizes.activations, activations_of(of.model, shared, 1));
    sizes.attention = attention_of(of, shared, shared);
  }
  for (const std::int64_t each : of.prompts) {
    std::int64_t seen = each + of.decode;
    if (of.how.window > 0) seen = std::min(seen, of.how.window);
    // A prompt that sees a window of itself has scores for all of its keys.
    const std::int64_t own = each - shared;
    const std::int64_t read = of.how.window > 0 ? std::min(each, own + of.how.window - 1) : each;
    const bytes prefill =
        shared == 0 ? attention_of(of, each, each)
                    : tensor_bytes::sum({attention_of(of, own, read), scratch_of(of, read)});
    sizes.attention =
        std::max({sizes.attention, prefill,
                  tensor_bytes::sum({attention_of(of, 1, seen), scratch_of(of, seen)})});
  }
  sizes.workspace = tensor_bytes::of({{"bytes", (of.workspace.n + 3) / 4}}, dtype::float32);
  return sizes;
}

}  // namespace headroom::kernels
