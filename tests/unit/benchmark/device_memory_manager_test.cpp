// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <functional>
#include <headroom/benchmark/device_memory_manager.hpp>
#include <headroom/core/error.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/device/plan_device.hpp>

#include "support/benchmark_json.hpp"

namespace headroom {
namespace {

/// Google Benchmark's own row of a benchmark that does `work` in the memory pass alone.
nlohmann::json row_of(device_memory_manager& manager, const std::function<void()>& work) {
  benchmark::RegisterMemoryManager(&manager);
  benchmark::RegisterBenchmark("row", [&](benchmark::State& state) {
    for (auto _ : state) {
      if (manager.in_memory_pass()) work();
    }
  })->Iterations(1);
  const nlohmann::json all = test::run_benchmarks_as_json();
  benchmark::RegisterMemoryManager(nullptr);
  return all.at("benchmarks").at(0);
}

TEST(DeviceMemoryManager, ReportsThePeakTheGrowthAndTheBlocksOfItsPass) {
  plan_device plan(1_GiB);
  const buffer before(plan, 4_MiB, tag::weights);
  { const buffer earlier(plan, 100_MiB, tag::temporary); }  // a peak of before the pass
  device_memory_manager manager(plan);
  EXPECT_TRUE(manager.counts_blocks());
  buffer stays;
  const nlohmann::json row = row_of(manager, [&] {
    stays = buffer(plan, 2_MiB, tag::optimizer);
    const buffer inner(plan, 6_MiB, tag::activations);
  });
  EXPECT_EQ(row.at("max_bytes_used"), (12_MiB).n);
  EXPECT_EQ(row.at("net_heap_growth"), (2_MiB).n);
  EXPECT_EQ(row.at("allocs_per_iter"), 2.0);
  EXPECT_FALSE(row.contains("total_allocated_bytes"));
  EXPECT_FALSE(manager.in_memory_pass());
}

TEST(DeviceMemoryManager, ReportsMemoryThatWasGivenBackAsNegativeGrowth) {
  plan_device plan(1_GiB);
  buffer before(plan, 4_MiB, tag::weights);
  device_memory_manager manager(plan);
  const nlohmann::json row = row_of(manager, [&] { before = {}; });
  EXPECT_EQ(row.at("net_heap_growth"), -(4_MiB).n);
  EXPECT_EQ(row.at("max_bytes_used"), (4_MiB).n);
}

/// The counters of another allocator: two of the four, and no count of blocks.
class foreign_source final : public counter_source {
 public:
  explicit foreign_source(bool has_peak) : has_peak_(has_peak) {}
  [[nodiscard]] source_description describe_counters() const override {
    source_description all{"a pool", {}};
    all[counter_id::allocated_current] = {true, true, "blocks"};
    all[counter_id::allocated_peak] = {has_peak_, true, "the pool keeps no peak"};
    return all;
  }
  [[nodiscard]] source_reading read() const override {
    source_reading all;
    all[counter_id::allocated_current] = current;
    if (has_peak_) all[counter_id::allocated_peak] = 7_MiB;
    return all;
  }
  void reset_peaks() override { ++resets; }

  bytes current = 1_MiB;
  int resets = 0;

 private:
  bool has_peak_;
};

TEST(DeviceMemoryManager, TakesAnySourceAndWaitsForItsWork) {
  foreign_source source(true);
  int waits = 0;
  device_memory_manager manager(source, [&] { ++waits; });
  EXPECT_FALSE(manager.counts_blocks());
  const nlohmann::json row = row_of(manager, [&] {
    EXPECT_EQ(waits, 1);
    EXPECT_EQ(source.resets, 1);
    source.current = 3_MiB;
  });
  EXPECT_EQ(waits, 2);
  EXPECT_EQ(row.at("max_bytes_used"), (7_MiB).n);
  EXPECT_EQ(row.at("net_heap_growth"), (2_MiB).n);
  EXPECT_EQ(row.at("allocs_per_iter"), 0.0);
}

TEST(DeviceMemoryManager, RefusesASourceWithoutAPeakAndSaysWhy) {
  foreign_source source(false);
  try {
    device_memory_manager manager(source);
    FAIL() << "not refused";
  } catch (const usage_error& problem) {
    EXPECT_STREQ(problem.what(),
                 "device_memory_manager: the source \"a pool\" has no allocated peak: the pool "
                 "keeps no peak; Google Benchmark would show 0 for it. Use a source that has it, "
                 "or register no memory manager");
  }
}

}  // namespace
}  // namespace headroom
