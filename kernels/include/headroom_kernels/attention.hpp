// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/kv_cache.hpp>
#include <string_view>

namespace headroom::kernels {

enum class attention_form : unsigned char {
  materialised,  ///< all scores at a time: working memory heads x queries x keys
  tiled          ///< tile after tile with a running softmax: working memory of one tile
};
/// "materialised", "tiled"
[[nodiscard]] std::string_view name_of(attention_form form);
/// @throws usage_error with the forms there are
[[nodiscard]] attention_form attention_form_from_name(std::string_view name);

/// Queries of consecutive tokens of one sequence, and where the result goes.
struct attention_queries {
  void* address = nullptr;  ///< of the first token: [count, heads x head_dim], `leading` apart
  std::int64_t count = 0;
  std::int64_t leading = 0;
  std::int64_t first_position = 0;
  void* result = nullptr;  ///< likewise, `result_leading` apart
  std::int64_t result_leading = 0;
};

/// Keys and values that queries look at.
class attention_keys {
 public:
  virtual ~attention_keys() = default;
  [[nodiscard]] virtual std::int64_t count() const = 0;
  /// Position of row 0, those behind follow; or such that every query sees every row.
  [[nodiscard]] virtual std::int64_t first_position() const = 0;
  /// @param first, count  within count(); valid until the next call
  [[nodiscard]] virtual kv_rows read(std::int64_t first, std::int64_t count) = 0;
};

/// Grouped-query attention: heads / kv_heads queries share one head of keys and values.
struct attention_settings {
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  dtype type = dtype::float32;
  attention_form form = attention_form::materialised;
  std::int64_t window = 0;          ///< tokens that a query sees, its own included; 0 for all
  std::int64_t tile_queries = 128;  ///< tiled
  std::int64_t tile_keys = 256;     ///< tiled
};

/// Queues result = softmax(queries keys' / sqrt(head_dim)) values, in each head, with the keys at a
/// query's position and before. Working memory, tag `workspace`, is given back before it returns.
/// @throws out_of_memory
void attend(device& on, stream_id stream, matrix_library& products,
            const attention_settings& settings, const attention_queries& queries,
            attention_keys& keys);

/// Gradients of an attention whose keys are those of the queries' own tokens.
struct attention_gradients {
  const void* result = nullptr;  ///< given: [count, heads x head_dim], rows side by side
  void* queries = nullptr;       ///< [count, heads x head_dim], `leading` apart, as what follows
  void* keys = nullptr;          ///< [count, kv_heads x head_dim]
  void* values = nullptr;        ///< [count, kv_heads x head_dim]
  std::int64_t leading = 0;
};
/// Queues the gradients. Scores are computed again, those of one head and one tile of queries (of
/// all queries in the materialised form) at a time; tag `workspace`, given back before it returns.
/// @param queries  as in attend, at position 0; its result is not looked at
/// @param keys     of the same tokens
/// @throws out_of_memory
void attend_backward(device& on, stream_id stream, matrix_library& products,
                     const attention_settings& settings, const attention_queries& queries,
                     const kv_rows& keys, const attention_gradients& gradients);

}  // namespace headroom::kernels
