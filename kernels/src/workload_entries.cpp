// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// What the bundled workloads are called and take. Nothing here refers to their code, so that a
// program can name them without loading the libraries that they compute with.

#include <headroom_kernels/workloads.hpp>

namespace headroom::kernels {
namespace {

workload_entry dense_entry() {
  workload_entry dense;
  dense.name = "dense";
  dense.what = "a stack of dense layers with bias and GELU";
  dense.operations = {"forward", "train"};
  dense.dtypes = {"float32", "bfloat16"};
  dense.dimensions = {
      {"batch", "sequences of one pass"},
      {"context", "rows of one sequence"},
      {"width", "inputs and outputs of each layer"},
      {"layers", "layers of the network"},
      {"microbatches", "train: parts of a batch whose gradients are added up", false},
      {"replicas", "train: devices with a batch each, whose gradients are added up", false}};
  dense.options = {
      {"loss", "train: cross_entropy (default), mean_squared_error"},
      {"optimizer", "train: adamw (default), sgd"},
      {"learning_rate", "train: default 0.001"},
      {"checkpointing", "train: none (default), every_layer, every_N, sqrt"},
      {"adapters", "train: rank of adapters, which alone are trained then"},
      {"adapter_scale", "train: default 1"},
      {"verify", "train: checkpointing compares with another policy"},
      {"reduction", "train: auto (default), nccl, host: what adds up on several cards"},
      {"matrix_workspace",
       "of the matrix library, default \"8 MiB\"; a card's name takes its figure: \"h100\""}};
  return dense;
}

workload_entry decoder_entry() {
  workload_entry decoder;
  decoder.name = "decoder";
  decoder.what = "a decoder with a KV cache";
  decoder.operations = {"generate", "train"};
  decoder.dtypes = {"bfloat16", "float32"};
  decoder.dimensions = {
      {"sequences", "generate: sequences at once", false},
      {"prompt", "generate: tokens of each prompt", false},
      {"decode", "generate: tokens decoded behind it", false},
      {"batch", "train: sequences", false},
      {"context", "train: tokens of each", false},
      {"microbatches", "train: parts of a batch whose gradients are added up", false},
      {"layers", "of the model; these seven, or --shape", false},
      {"width", "of the residual", false},
      {"heads", "query heads", false},
      {"kv_heads", "heads of keys and values", false},
      {"head_dim", "of one head", false},
      {"ffn", "inner width of the MLP", false},
      {"vocabulary", "tokens there are", false},
      {"capacity", "static cache: tokens of a sequence, default prompt + decode", false},
      {"window", "sliding_window cache: tokens kept", false},
      {"block_tokens", "paged cache: tokens of a block, default 16", false},
      {"blocks", "paged cache: default what is needed", false},
      {"shared_prefix", "paged cache: first tokens of all prompts, held once", false},
      {"group", "int8, int4: inputs of a scale, default 128", false}};
  decoder.options = {
      {"shape", "1b, 7b, 8b, 70b: a model of that shape"},
      {"tied", "yes, no: whether the output is the embedding"},
      {"cache", "growing (default), static, sliding_window, quantized, offloaded, paged"},
      {"attention", "tiled (default), materialised"},
      {"lengths", "prompts of unequal length, \"512, 77, 300\""},
      {"over_capacity", "refuse (default), truncate: a prompt too long for it"},
      {"staging", "none (default), float32: how weights are loaded"},
      {"weights", "plain (default), int8, int4: storage of matrices"},
      {"optimizer", "train: adamw (default), sgd"},
      {"learning_rate", "train: default 0.001"},
      {"checkpointing", "train: none (default), every_layer, every_N, sqrt"},
      {"matrix_workspace",
       "of the matrix library, default \"8 MiB\"; a card's name takes its figure: \"h100\""}};
  return decoder;
}

}  // namespace

std::vector<workload_entry> describe_bundled_workloads() {
  return {dense_entry(), decoder_entry()};
}

}  // namespace headroom::kernels
