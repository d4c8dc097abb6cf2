// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/series/open_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>

/// Out of memory at every request of a series on cuda:0, whose driver has its own word.
namespace headroom {
namespace {

/// Holds weights, and in each pass two tensors.
class holding_workload final : public workload {
 public:
  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "step"; }
  void load(run_context& run) override { weights_ = buffer(run.device(), 4_MiB, tag::weights); }
  void make_inputs(run_context& run) override {
    inputs_ = buffer(run.device(), 1_MiB, tag::inputs);
  }
  void run_pass(run_context& run) override {
    const buffer first(run.device(), 24_MiB, tag::activations);
    const buffer second(run.device(), 48_MiB, tag::workspace);
  }

 private:
  workload_description description_{"holding", "step", "1", 0, "float32", {{"batch", 1}}, {}};
  buffer weights_;
  buffer inputs_;
};

constexpr std::int64_t allocations = 2 + 2 * 3;  // load, inputs, and those of three passes

series_record rehearse(device& on, workload& work) {
  series_options options;
  options.protocol = {1, 1};
  return run_series(on, work, options);
}

class CudaRehearsal : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const device_availability there = find_device(card_); !there.available) {
      GTEST_SKIP() << there.reason;
    }
  }
  std::unique_ptr<device> open(rehearsed_refusal refusal) {
    allocator_choice choice = parse_allocator_choice(GetParam());
    choice.rehearsed.refusals = {refusal};
    return open_device(card_, choice);
  }
  device_request card_ = parse_device_request("cuda:0");
};

INSTANTIATE_TEST_SUITE_P(Allocators, CudaRehearsal,
                         testing::Values("caching", "plain", "cuda-async"), [](const auto& each) {
                           return each.param == std::string("cuda-async") ? "cuda_async"
                                                                          : each.param;
                         });

TEST_P(CudaRehearsal, EveryRefusedAllocationEndsAsOutOfMemory) {
  for (std::int64_t n = 1; n <= allocations; ++n) {
    SCOPED_TRACE(n);
    const std::unique_ptr<device> on = open({request_kind::allocation, n, n});
    auto work = std::make_unique<holding_workload>();
    const series_record series = rehearse(*on, *work);
    const phase_record* const failed = series.failed_phase();
    ASSERT_NE(failed, nullptr);
    EXPECT_EQ(failed->error->kind, "out_of_memory");
    EXPECT_EQ(failed->error->device, "cuda:0");
    EXPECT_TRUE(failed->error->what && failed->error->requested);
    EXPECT_EQ(failed->readings.at(0).end.refusals, 1);
    work.reset();
    on->synchronize();
    on->allocator().empty_cache();
    EXPECT_EQ(on->counters().read()[counter_id::allocated_current], 0_B) << "leaked";
  }
}

TEST_P(CudaRehearsal, ARequestBeyondTheLastIsNotRefused) {
  const std::unique_ptr<device> on = open({request_kind::allocation, allocations + 1, {}});
  holding_workload work;
  const series_record series = rehearse(*on, work);
  EXPECT_EQ(series.failed_phase(), nullptr);
  ASSERT_TRUE(series.devices.at(0).rehearsed);
  EXPECT_EQ(series.devices.at(0).rehearsed->allocations, allocations);
}

TEST_P(CudaRehearsal, EveryRefusedSegmentEndsAsOutOfMemoryOrIsTriedAgain) {
  if (GetParam() == std::string("cuda-async")) {
    EXPECT_THROW((void)open({request_kind::segment, 1, 1}), usage_error);
    return;
  }
  for (std::int64_t n = 1; n <= 4; ++n) {
    SCOPED_TRACE(n);
    for (const bool all : {false, true}) {
      rehearsed_refusal refusal{request_kind::segment, n, n};
      if (all) refusal.last.reset();
      const std::unique_ptr<device> on = open(refusal);
      holding_workload work;
      const series_record series = rehearse(*on, work);
      const bool tried_again = !all && GetParam() == std::string("caching");
      EXPECT_EQ(series.failed_phase() == nullptr, tried_again);
      const source_reading last = on->counters().read();
      EXPECT_EQ(tried_again ? last.retries : last.refusals, 1);
    }
  }
}

}  // namespace
}  // namespace headroom
