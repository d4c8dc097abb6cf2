// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <headroom_kernels/attention.hpp>
#include <headroom_kernels/ops/copy_rows.hpp>
#include <headroom_kernels/ops/masked_softmax.hpp>

namespace headroom::kernels {
namespace {

/// One walk over heads and tiles of queries.
class backward_walk {
 public:
  backward_walk(device& on, stream_id stream, matrix_library& products,
                const attention_settings& settings, const attention_queries& queries,
                const kv_rows& keys, const attention_gradients& gradients)
      : on_(on),
        stream_(stream),
        products_(products),
        settings_(settings),
        queries_(queries),
        keys_(keys),
        gradients_(gradients),
        scale_(1.0F / std::sqrt(static_cast<float>(settings.head_dim))) {}

  void walk() {
    const std::int64_t width = settings_.kv_heads * settings_.head_dim;
    const shape dims{{"tokens", queries_.count}, {"width", width}};
    // Heads and tiles add up here, in float32 where the type has fewer bits.
    const tensor keys(on_, stream_, dims, dtype::float32, tag::workspace);
    const tensor values(on_, stream_, dims, dtype::float32, tag::workspace);
    on_.fill_zero(keys.address(), keys.size(), stream_);
    on_.fill_zero(values.address(), values.size(), stream_);
    const std::int64_t tile = settings_.form == attention_form::materialised
                                  ? queries_.count
                                  : std::min(queries_.count, settings_.tile_queries);
    const shape most{{"heads", 1}, {"queries", tile}, {"keys", queries_.count}};
    const tensor weights(on_, stream_, most, settings_.type, tag::workspace);
    const tensor d(on_, stream_, most, settings_.type, tag::workspace);
    for (std::int64_t first = 0; first < queries_.count; first += tile) {
      const std::int64_t behind = std::min(first + tile, queries_.count);
      for (std::int64_t head = 0; head < settings_.heads; ++head) {
        tile_backward(head, first, behind, {weights.address(), d.address()}, keys, values);
      }
    }
    const auto rounded = [&](const tensor& from, void* to) {
      copy_rows(on_, stream_, matrix_of(from),
                {to, queries_.count, width, gradients_.leading, settings_.type, false});
    };
    rounded(keys, gradients_.keys);
    rounded(values, gradients_.values);
  }

 private:
  struct scratch {
    void* weights;
    void* d;
  };

  void tile_backward(std::int64_t head, std::int64_t first, std::int64_t behind,
                     const scratch& memory, const tensor& keys, const tensor& values) {
    const std::int64_t from =
        settings_.window > 0 ? std::max<std::int64_t>(0, first + 1 - settings_.window) : 0;
    const std::int64_t kv_head = head / (settings_.heads / settings_.kv_heads);
    const std::int64_t width = settings_.heads * settings_.head_dim;
    const auto of_queries = [&](const void* base, std::int64_t leading) {
      return rows(base, settings_.type, first, behind, leading, head);
    };
    const auto of_keys = [&](const void* base, dtype type, std::int64_t leading) {
      return rows(base, type, from, behind, leading, kv_head);
    };
    const matrix_view q = of_queries(queries_.address, queries_.leading);
    const matrix_view k = of_keys(keys_.keys, keys_.type, keys_.leading);
    const matrix_view v = of_keys(keys_.values, keys_.type, keys_.leading);
    const matrix_view dy = of_queries(gradients_.result, width);
    const shape tile{{"heads", 1}, {"queries", behind - first}, {"keys", behind - from}};
    const tensor_view weights{memory.weights, tile, settings_.type};
    const tensor_view d{memory.d, tile, settings_.type};

    products_.multiply(scale_, q, transpose(k), 0.0F, matrix_of(weights));
    masked_softmax(on_, stream_, weights, {first, from, settings_.window});
    const std::int64_t kv_width = settings_.kv_heads * settings_.head_dim;
    products_.multiply(1.0F, transpose(matrix_of(weights)), dy, 1.0F,
                       of_keys(values.address(), dtype::float32, kv_width));
    products_.multiply(1.0F, dy, transpose(v), 0.0F, matrix_of(d));
    softmax_backward(on_, stream_, weights, d);
    products_.multiply(scale_, matrix_of(d), k, 0.0F,
                       of_queries(gradients_.queries, gradients_.leading));
    products_.multiply(scale_, transpose(matrix_of(d)), q, 1.0F,
                       of_keys(keys.address(), dtype::float32, kv_width));
  }

  /// Tokens [first, behind) of one head.
  [[nodiscard]] matrix_view rows(const void* base, dtype type, std::int64_t first,
                                 std::int64_t behind, std::int64_t leading,
                                 std::int64_t head) const {
    const std::int64_t at = first * leading + head * settings_.head_dim;
    void* const address = static_cast<std::byte*>(const_cast<void*>(base)) + at * size_of(type).n;
    return {address, behind - first, settings_.head_dim, leading, type, false};
  }

  device& on_;
  stream_id stream_;
  matrix_library& products_;
  const attention_settings& settings_;
  const attention_queries& queries_;
  const kv_rows& keys_;
  const attention_gradients& gradients_;
  float scale_;
};

}  // namespace

void attend_backward(device& on, stream_id stream, matrix_library& products,
                     const attention_settings& settings, const attention_queries& queries,
                     const kv_rows& keys, const attention_gradients& gradients) {
  backward_walk(on, stream, products, settings, queries, keys, gradients).walk();
}

}  // namespace headroom::kernels
