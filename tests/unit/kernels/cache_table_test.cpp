// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The table of docs/decoder.md: what each cache takes by its formula and by the device's counters.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <headroom/device/plan_device.hpp>
#include <iostream>
#include <sstream>

#include "decoder_support.hpp"

namespace headroom::kernels {
namespace {

using strategy = kv_cache_strategy;

/// Three sequences of a model in the shape of "1b", in bfloat16.
kv_cache_settings settings_of(strategy which) {
  const decoder_shape dims = decoder_preset("1b").value();
  kv_cache_settings made;
  made.strategy = which;
  made.layers = dims.layers;
  made.kv_heads = dims.kv_heads;
  made.head_dim = dims.head_dim;
  made.type = dtype::bfloat16;
  made.lengths = {8192, 3001, 77};
  made.capacity = 8192;
  made.window = 1024;
  made.block_tokens = 16;
  return made;
}

struct observed {
  bytes tagged;
  kv_cache_bytes held;
};

/// Prompts of all tokens but four, then four tokens one by one, as a decoder runs them; what they
/// share comes before, with the first.
observed observe(const kv_cache_settings& settings) {
  plan_device plan("24GB");
  const auto cache = kv_cache::make(plan, {}, settings);
  const buffer memory(plan, bytes{512}, tag::other);  // an address; nothing is read
  const std::int64_t shared = settings.shared_prefix;
  const auto append = [&](std::int64_t layer, std::size_t sequence, std::int64_t tokens) {
    cache->append(layer, static_cast<std::int64_t>(sequence),
                  {memory.address(), memory.address(), tokens, settings.width(), settings.type});
  };
  if (shared > 0) {
    for (std::int64_t layer = 0; layer < settings.layers; ++layer) append(layer, 0, shared);
    for (std::int64_t i = 1; i < std::ssize(settings.lengths); ++i) cache->share(0, i, shared);
  }
  for (std::int64_t step = 0; step < 5; ++step) {
    for (std::int64_t layer = 0; layer < settings.layers; ++layer) {
      for (std::size_t i = 0; i < settings.lengths.size(); ++i) {
        append(layer, i, step == 0 ? settings.lengths[i] - 4 - shared : 1);
      }
    }
  }
  plan.counters().reset_peaks();
  return {(*plan.counters().read().at_allocated_peak->by_tag)[tag::kv_cache], cache->held()};
}

std::string row_of(strategy which, std::int64_t shared = 0) {
  kv_cache_settings settings = settings_of(which);
  settings.shared_prefix = shared;
  const kv_cache_estimate formula = estimate_kv_cache(settings.request());
  const auto [tagged, held] = observe(settings);
  // What the table says of the difference is what makes it up, and nothing is left.
  EXPECT_EQ(held.requested, formula.device);
  EXPECT_EQ(held.host, formula.host);
  EXPECT_EQ(tagged, held.allocated);
  const bytes rounding = held.rounded - held.requested;
  const bytes unsplit = held.allocated - held.rounded;
  EXPECT_EQ(formula.device + rounding + unsplit, tagged);
  std::string reason;
  if (rounding > bytes{}) reason += fmt::format("{} B of rounding to 512 B", rounding.n);
  if (unsplit > bytes{}) {
    reason += fmt::format("{}{} B in blocks whose rest is too small to split off",
                          reason.empty() ? "" : ", ", unsplit.n);
  }
  if (reason.empty()) reason = "every tensor is a multiple of 512 B";
  std::string name(name_of(which));
  if (shared > 0) name += fmt::format(", {} tokens shared", shared);
  return fmt::format("| {} | {} | {} | {} | {} | {} |", name, formula.device.n, tagged.n,
                     (tagged - formula.device).n, reason, formula.host.n);
}

TEST(CacheTable, SaysWhatEachCacheTakesAndIsTheOneOfTheDocumentation) {
  std::string table =
      "| cache | formula, B | tag `kv_cache`, B | difference, B | reason | host memory, B |\n"
      "| --- | ---: | ---: | ---: | --- | ---: |\n";
  for (const strategy which : {strategy::growing, strategy::fixed, strategy::sliding_window,
                               strategy::quantized, strategy::offloaded, strategy::paged}) {
    table += row_of(which) + "\n";
  }
  table += row_of(strategy::paged, 70) + "\n";
  std::cout << table;
  std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/docs/decoder.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find(table), std::string::npos)
      << "docs/decoder.md has another table; the one above is true";
}

}  // namespace
}  // namespace headroom::kernels
