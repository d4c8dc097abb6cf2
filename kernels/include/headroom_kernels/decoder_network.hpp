// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom_kernels/attention.hpp>
#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/decoder_shape.hpp>
#include <headroom_kernels/kv_cache.hpp>
#include <headroom_kernels/linear_weight.hpp>
#include <headroom_kernels/ops/loss.hpp>
#include <headroom_kernels/tensor.hpp>
#include <vector>

namespace headroom::kernels {

/// Through what weights come to the device.
enum class weight_staging : unsigned char {
  none,    ///< each is made where it stays; a packed one in the model's type beside it
  float32  ///< each is made in float32 beside it, tag `temporary`, and rounded
};

/// How weights are stored and loaded. Embedding, output projection and norms stay in the model's
/// type.
struct weight_loading {
  weight_staging staging = weight_staging::none;
  weight_storage storage;
};

/// Tokens of one sequence in a step.
struct token_span {
  std::int64_t sequence = 0;
  std::int64_t count = 0;
};

/// What a step runs through the network: all tokens of the first span, then of the second, ...
struct decoder_step {
  class_view tokens;  ///< on the device
  std::vector<token_span> spans;
};

/// How a step runs.
struct decoder_run {
  attention_form form = attention_form::materialised;
  std::int64_t window = 0;  ///< tokens that a query sees, its own included; 0 for all
};

/// A decoder: token embedding, then layers of grouped-query attention with rotary positions and a
/// gated MLP, each behind RMSNorm and beside a residual, then RMSNorm and the output projection.
class decoder_network {
 public:
  /// Allocates the weights, tag `weights`, and queues their values, which are random.
  /// @param on  must outlive the network
  /// @throws usage_error as check_shape; out_of_memory
  decoder_network(device& on, stream_id stream, const decoder_shape& dims, std::uint64_t seed,
                  const weight_loading& loading = {});

  /// Queues a step: prompts, or one token of each sequence, or both. Keys and values go to the
  /// cache; a prompt of an empty sequence looks at its own, exact whatever the cache makes of them.
  /// @return  logits of each span's last token, [spans, vocabulary], float32, tag `activations`
  /// @throws usage_error when the cache has no room: nothing has changed then; out_of_memory: the
  /// cache is to be ended then
  [[nodiscard]] tensor forward(matrix_library& products, kv_cache& cache, const decoder_step& step,
                               const decoder_run& how) const;

  struct layer {
    tensor attention_norm;           ///< [width]
    linear_weight projections;       ///< [width, queries + keys + values]
    linear_weight attention_output;  ///< [queries, width]
    tensor mlp_norm;                 ///< [width]
    linear_weight gate_up;           ///< [width, 2 x ffn]: gate, then up
    linear_weight down;              ///< [ffn, width]
  };
  [[nodiscard]] const std::vector<layer>& layers() const { return layers_; }
  [[nodiscard]] const tensor& embedding() const { return embedding_; }    ///< [vocabulary, width]
  [[nodiscard]] const tensor& final_norm() const { return final_norm_; }  ///< [width]
  /// [vocabulary, width]: the embedding where the two are tied.
  [[nodiscard]] const tensor& output() const { return dims_.tied ? embedding_ : output_; }
  [[nodiscard]] const decoder_shape& dims() const { return dims_; }

 private:
  void load(tensor& weight, const shape& dims, float scale, std::uint64_t seed,
            weight_staging staging);
  void load(linear_weight& weight, const shape& dims, float scale, std::uint64_t seed,
            const weight_loading& loading);
  void project(matrix_library& products, const matrix_view& x, const linear_weight& weight,
               float beta, const tensor_view& y) const;
  [[nodiscard]] tensor activation(std::int64_t rows, std::int64_t width) const;
  [[nodiscard]] tensor normed(const tensor& x, const tensor& weight) const;
  void attention_block(std::int64_t layer, matrix_library& products, kv_cache& cache,
                       const decoder_step& step, const decoder_run& how, const tensor& x) const;
  void mlp_block(const layer& own, matrix_library& products, const tensor& x) const;
  [[nodiscard]] tensor last_rows(const decoder_step& step, tensor x) const;

  device& device_;
  stream_id stream_;
  decoder_shape dims_;
  tensor embedding_;
  std::vector<layer> layers_;
  tensor final_norm_;
  tensor output_;  // empty where tied
};

}  // namespace headroom::kernels
