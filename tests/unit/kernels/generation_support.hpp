// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/series/run_series.hpp>
#include <headroom_kernels/decoder_workload.hpp>
#include <string>

#include "run_workload.hpp"

/// Generations that a test runs in no time.
namespace headroom::kernels::test {

/// Three sequences of unequal length. Beside the caches' names there is "shared": a paged cache
/// whose sequences share a block and half of another.
inline workload_description small_generation(const char* cache, const char* dtype = "float32") {
  workload_description made;
  made.name = "decoder";
  made.operation = "generate";
  made.revision = "1";
  made.seed = 7;
  made.dtype = dtype;
  made.requested = {{"layers", 3},   {"width", 64}, {"heads", 8},        {"kv_heads", 2},
                    {"head_dim", 8}, {"ffn", 96},   {"vocabulary", 100}, {"sequences", 3},
                    {"prompt", 40},  {"decode", 6}};
  made.options = {{"cache", cache}, {"lengths", "40, 7, 1"}, {"matrix_workspace", "64 KiB"}};
  if (cache == std::string("sliding_window")) made.requested.set("window", 9);
  if (cache == std::string("shared")) {
    made.options = {{"cache", "paged"}, {"lengths", "40, 9, 7"}, {"matrix_workspace", "64 KiB"}};
    made.requested.set("block_tokens", 4);
    made.requested.set("shared_prefix", 6);
  }
  return made;
}

}  // namespace headroom::kernels::test
