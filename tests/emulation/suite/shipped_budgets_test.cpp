// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Every shipped budget's workload on cuda:0 over the emulated card.
#include <algorithm>

#include "../api.hpp"
#include "measured.hpp"

namespace headroom::test {
namespace {

using namespace headroom::literals;

constexpr const char* card = "141 GB";
constexpr const char* plan = "plan:141GB";

/// What the host computes in seconds. Others are run with kernels left out.
constexpr bytes most_computed = 256_MiB;

bool is_computed(const suite_case& what) { return what.most_allocated <= most_computed; }

/// An offloaded cache lies in the host's memory, which is real.
suite_case with_room_on_host(suite_case what) {
  constexpr std::int64_t most_tokens = 512;
  if (what.what.find_option("cache") == "offloaded") {
    what.what.requested.set("prompt", std::min(what.what.requested.at("prompt"), most_tokens));
  }
  return what;
}

class ShippedBudget : public testing::TestWithParam<suite_case> {};

INSTANTIATE_TEST_SUITE_P(Every, ShippedBudget, testing::ValuesIn(shipped_cases()),
                         [](const auto& each) { return each.param.name; });

TEST_P(ShippedBudget, RunsOverTheCardAsPlannedAndAsOnTheCpu) {
  const suite_case what = with_room_on_host(GetParam());
  const bool computed = is_computed(what);
  set_card("CARD", card);
  set_card("DEVICES", "2");
  set_card("CONTENTS", computed ? "all" : "none");

  const keep when = computed ? keep::at_phase_ends : keep::nothing;
  const measured emulated = measure(what, "cuda:0", when);
  expect_equal_counters(measure(what, plan).series, emulated.series);
  EXPECT_TRUE(emulated.series.devices.at(0).info.emulated);
  EXPECT_TRUE(emulated.series.prediction());

  const std::int64_t launches = headroom_emulation_calls("cudaLaunchKernel");
  EXPECT_GT(launches, 0) << "it was the CUDA code that ran";
  EXPECT_GT(headroom_emulation_calls("cudaMalloc"), 0);
  EXPECT_GT(headroom_emulation_calls("cublasSgemm_v2") + headroom_emulation_calls("cublasGemmEx"),
            0);
  EXPECT_EQ(headroom_emulation_launches_left_out(),
            computed ? 0 : static_cast<std::uint64_t>(launches));
  if (!computed) return;

  const measured on_cpu = measure(what, "cpu", when);
  expect_equal_counters(on_cpu.series, emulated.series);
  EXPECT_EQ(difference(on_cpu.kept, emulated.kept, tolerance(what.what)), "");
}

TEST(ShippedBudgets, AreForTheMostPartComputed) {
  const std::vector<suite_case> all = shipped_cases();
  EXPECT_GE(std::count_if(all.begin(), all.end(), is_computed), 15);
}

}  // namespace
}  // namespace headroom::test
