// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/error.hpp>
#include <headroom/series/workload.hpp>
#include <headroom_kernels/decoder_network.hpp>
#include <headroom_kernels/generation_plan.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace headroom::kernels {

/// Memory refused while tokens were decoded: says how far generation came.
class out_of_memory_in_decode : public out_of_memory {
 public:
  /// @param token  the one that was not decoded, from 1
  out_of_memory_in_decode(const out_of_memory& refused, std::int64_t token, std::int64_t tokens,
                          std::int64_t context);
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] std::int64_t token() const { return token_; }

 private:
  std::int64_t token_;
  std::string text_;
};

/// The workload "decoder" with the operation "generate". A pass has the inner phases `prefill`,
/// which takes the cache and runs all prompts at once, and `decode`, which runs one token of each
/// sequence a step. Tokens are chosen greedily. The cache goes at the end of the pass.
///
/// Dimensions: sequences, prompt and decode (tokens of each sequence), and the model's: layers,
/// width, heads, kv_heads, head_dim, ffn, vocabulary; where `shape` is given, those that differ.
/// By cache: capacity (static; default prompt + decode), window (sliding_window; with another
/// cache, queries see so many tokens and nothing is dropped), block_tokens (paged; default 16),
/// blocks (paged; default what is needed), shared_prefix (paged: tokens that all prompts begin
/// with, run and held once). dtype: "float32" or "bfloat16". Options:
///   shape            "1b", "7b", "8b" or "70b": a model of that shape
///   tied             "yes" or "no": whether the output projection is the embedding
///   cache            "growing" (default), "static", "sliding_window", "quantized", "offloaded" or
///                    "paged"
///   attention        "tiled" (default) or "materialised"
///   lengths          prompts of unequal length, "512, 77, 300"; the longest is `prompt`
///   over_capacity    what a prompt too long for the static capacity leads to: "refuse" (default)
///                    or "truncate", which is recorded as executed
///   staging          "none" (default) or "float32": through what weights are loaded
///   weights          "plain" (default), "int8" or "int4": storage of the layers' matrices, in
///                    groups of the dimension `group` (default 128 inputs)
///   matrix_workspace a size, or a card (cards/) for its figure; default "8 MiB"
class decoder_workload : public workload {
 public:
  /// @throws usage_error that says what to write, for anything the workload does not know
  explicit decoder_workload(workload_description description);

  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] dimensions executed() const override { return executed_; }
  [[nodiscard]] std::string_view pass_name() const override { return "generate"; }
  void touch(run_context& run) override;
  void load(run_context& run) override;
  void make_inputs(run_context& run) override;
  void run_pass(run_context& run) override;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings() const override;

  [[nodiscard]] const generation_shape& dims() const { return dims_; }
  [[nodiscard]] generation_sizes sizes() const { return size_generation(dims_); }
  /// What the last pass's cache held when it was full; absent before.
  [[nodiscard]] const std::optional<kv_cache_bytes>& cache_held() const { return held_; }
  /// [decode + 1, sequences] int32 on the device: the tokens that were chosen.
  [[nodiscard]] class_view chosen() const;
  /// Null before load.
  [[nodiscard]] const decoder_network* network() const { return network_.get(); }

 protected:
  /// The cache of a pass.
  [[nodiscard]] virtual std::unique_ptr<kv_cache> make_cache(run_context& run) const;

 private:
  void prefill(run_context& run);
  void prefill_shared(const class_view& tokens);
  void decode(run_context& run);
  void step(run_context& run, const decoder_step& fed, std::int64_t row);

  workload_description description_;
  dimensions executed_;
  generation_shape dims_;
  std::unique_ptr<matrix_library> products_;
  std::unique_ptr<decoder_network> network_;
  buffer prompts_;  // int32: what the prompts share, then what each has behind it
  buffer chosen_;   // int32, [decode + 1, sequences]
  std::unique_ptr<kv_cache> cache_;
  std::optional<kv_cache_bytes> held_;
  std::int64_t decoded_ = 0;  // in the last pass
};

}  // namespace headroom::kernels
