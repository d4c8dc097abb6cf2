// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <headroom_kernels/attention.hpp>
#include <headroom_kernels/ops/masked_softmax.hpp>

namespace headroom::kernels {
namespace {

void* element(void* base, std::int64_t index, dtype type) {
  return static_cast<std::byte*>(base) + index * size_of(type).n;
}

/// Walks through the products of one block of queries with one block of keys. Where there is one
/// query, those of a group lie side by side and make up one product; else each head has its own.
class grouped_products {
 public:
  grouped_products(matrix_library& products, const attention_settings& settings)
      : products_(products), settings_(settings) {}

  /// scores = queries keys' / sqrt(head_dim). @param scores  [heads, queries, keys]
  void scores(const attention_queries& queries, const kv_rows& keys, const tensor_view& into) {
    const float scale = 1.0F / std::sqrt(static_cast<float>(settings_.head_dim));
    each_product(queries.count, [&](const place& at) {
      const matrix_view q = rows(queries.address, at.head, at.rows,
                                 queries.count == 1 ? settings_.head_dim : queries.leading);
      products_.multiply(scale, q, transpose(keys_of(keys.keys, keys, at.kv_head)), 0.0F,
                         plane(into, at, keys.count));
    });
  }

  /// result = weights values + beta result, heads side by side in the result's rows.
  void values(const tensor_view& weights, const kv_rows& keys, const attention_queries& queries) {
    each_product(queries.count, [&](const place& at) {
      const matrix_view y = rows(queries.result, at.head, at.rows,
                                 queries.count == 1 ? settings_.head_dim : queries.result_leading);
      products_.multiply(1.0F, plane(weights, at, keys.count),
                         keys_of(keys.values, keys, at.kv_head), 0.0F, y);
    });
  }

  /// sum += weights values. @param sum  [heads, queries, head_dim] float32
  void add_values(const tensor_view& weights, const kv_rows& keys, const tensor_view& sum) {
    each_product(weights.dims[1].size, [&](const place& at) {
      products_.multiply(1.0F, plane(weights, at, keys.count),
                         keys_of(keys.values, keys, at.kv_head), 1.0F,
                         plane(sum, at, settings_.head_dim));
    });
  }

 private:
  struct place {
    std::int64_t head;     // the first
    std::int64_t kv_head;  // that serves it
    std::int64_t rows;     // of the product
    std::int64_t queries;
  };
  template <class Use>
  void each_product(std::int64_t queries, Use use) {
    const std::int64_t group = settings_.heads / settings_.kv_heads;
    if (queries == 1) {
      for (std::int64_t kv = 0; kv < settings_.kv_heads; ++kv) {
        use(place{kv * group, kv, group, queries});
      }
      return;
    }
    for (std::int64_t head = 0; head < settings_.heads; ++head) {
      use(place{head, head / group, queries, queries});
    }
  }
  [[nodiscard]] matrix_view rows(void* base, std::int64_t head, std::int64_t count,
                                 std::int64_t leading) const {
    void* const first = element(base, head * settings_.head_dim, settings_.type);
    return {first, count, settings_.head_dim, leading, settings_.type, false};
  }
  [[nodiscard]] matrix_view keys_of(void* base, const kv_rows& from, std::int64_t kv_head) const {
    void* const first = element(base, kv_head * settings_.head_dim, from.type);
    return {first, from.count, settings_.head_dim, from.leading, from.type, false};
  }
  /// Rows of a tensor [heads, queries, width] that belong to a product.
  static matrix_view plane(const tensor_view& of, const place& at, std::int64_t width) {
    const std::int64_t row = of.dims.width();
    void* const first = element(of.address, at.head * at.queries * row, of.type);
    return {first, at.rows, width, row, of.type, false};
  }

  matrix_library& products_;
  const attention_settings& settings_;
};

/// The first key that any of the queries sees.
std::int64_t first_visible(const attention_settings& settings, std::int64_t first_query,
                           const attention_keys& keys) {
  if (settings.window == 0) return 0;
  return std::max<std::int64_t>(0, first_query + 1 - settings.window - keys.first_position());
}

void attend_materialised(device& on, stream_id stream, matrix_library& products,
                         const attention_settings& settings, const attention_queries& queries,
                         attention_keys& keys) {
  const std::int64_t first = first_visible(settings, queries.first_position, keys);
  const kv_rows rows = keys.read(first, keys.count() - first);
  const tensor scores(on, stream,
                      {{"heads", settings.heads}, {"queries", queries.count}, {"keys", rows.count}},
                      settings.type, tag::workspace);
  grouped_products grouped(products, settings);
  grouped.scores(queries, rows, scores);
  masked_softmax(on, stream, scores,
                 {queries.first_position, keys.first_position() + first, settings.window});
  grouped.values(scores, rows, queries);
}

/// The working memory of one tile, and its parts where a tile at an edge is smaller.
class tile_memory {
 public:
  tile_memory(device& on, stream_id stream, const attention_settings& settings,
              std::int64_t queries)
      : settings_(settings) {
    const axis heads{"heads", settings.heads};
    const axis rows{"queries", queries};
    const axis keys{"keys", settings.tile_keys};
    const auto make = [&](const shape& dims, dtype type) {
      return tensor(on, stream, dims, type, tag::workspace);
    };
    scores_ = make({heads, rows, keys}, dtype::float32);
    if (settings.type != dtype::float32) weights_ = make({heads, rows, keys}, settings.type);
    most_ = make({heads, rows}, dtype::float32);
    sum_ = make({heads, rows}, dtype::float32);
    weighted_ = make({heads, rows, {"head_dim", settings.head_dim}}, dtype::float32);
  }

  [[nodiscard]] running_softmax part(std::int64_t queries, std::int64_t keys) const {
    const axis heads{"heads", settings_.heads};
    const axis rows{"queries", queries};
    const tensor& weights = settings_.type == dtype::float32 ? scores_ : weights_;
    const shape tile{heads, rows, {"keys", keys}};
    return {{scores_.address(), tile, dtype::float32},
            {weights.address(), tile, settings_.type},
            {most_.address(), {heads, rows}, dtype::float32},
            {sum_.address(), {heads, rows}, dtype::float32},
            {weighted_.address(), {heads, rows, {"head_dim", settings_.head_dim}}, dtype::float32}};
  }

 private:
  const attention_settings& settings_;
  tensor scores_, weights_, most_, sum_, weighted_;
};

void attend_tiled(device& on, stream_id stream, matrix_library& products,
                  const attention_settings& settings, const attention_queries& queries,
                  attention_keys& keys) {
  const std::int64_t tile = std::min(queries.count, settings.tile_queries);
  const tile_memory memory(on, stream, settings, tile);
  grouped_products grouped(products, settings);
  for (std::int64_t done = 0; done < queries.count; done += tile) {
    attention_queries block = queries;
    block.address = element(queries.address, done * queries.leading, settings.type);
    block.result = element(queries.result, done * queries.result_leading, settings.type);
    block.count = std::min(tile, queries.count - done);
    block.first_position += done;
    const std::int64_t behind =
        std::min(keys.count(), block.first_position + block.count - keys.first_position());
    begin_softmax(on, stream, memory.part(block.count, settings.tile_keys));
    const std::int64_t begin = first_visible(settings, block.first_position, keys);
    for (std::int64_t first = begin; first < behind; first += settings.tile_keys) {
      const kv_rows rows = keys.read(first, std::min(settings.tile_keys, behind - first));
      // Without numbers one tile is like another: a plan of a long context takes no longer for it.
      if (!on.computes() && first > begin) continue;
      const running_softmax state = memory.part(block.count, rows.count);
      grouped.scores(block, rows, state.scores);
      advance_softmax(on, stream, state,
                      {block.first_position, keys.first_position() + first, settings.window});
      grouped.add_values(state.weights, rows, state.weighted);
    }
    end_softmax(on, stream, memory.part(block.count, settings.tile_keys), block.result,
                settings.type, block.result_leading);
  }
}

}  // namespace

std::string_view name_of(attention_form form) {
  return form == attention_form::materialised ? "materialised" : "tiled";
}

attention_form attention_form_from_name(std::string_view name) {
  for (const attention_form form : {attention_form::materialised, attention_form::tiled}) {
    if (name == name_of(form)) return form;
  }
  throw usage_error(fmt::format("there is no attention {}; write \"materialised\" or \"tiled\"",
                                quoted_text(name)));
}

void attend(device& on, stream_id stream, matrix_library& products,
            const attention_settings& settings, const attention_queries& queries,
            attention_keys& keys) {
  if (settings.form == attention_form::materialised) {
    attend_materialised(on, stream, products, settings, queries, keys);
  } else {
    attend_tiled(on, stream, products, settings, queries, keys);
  }
}

}  // namespace headroom::kernels
