// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <headroom/core/error.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/host_segments.hpp>
#include <headroom/device/plan_device.hpp>
#include <string>
#include <vector>

namespace headroom {
namespace {

using namespace headroom::literals;

TEST(PlanDevice, KeepsTheTextOfItsSize) {
  plan_device device("24GB");
  EXPECT_EQ(device.info().id, "plan:24GB");
  EXPECT_EQ(device.info().capacity, 24_GB);
  EXPECT_EQ(device.info().kind, device_kind::plan);
  EXPECT_TRUE(device.info().prediction());
  EXPECT_FALSE(device.computes());
  EXPECT_EQ(plan_device("1.5 GiB").info().id, "plan:1.5 GiB");
  EXPECT_EQ(plan_device(512_MiB).info().id, "plan:536870912B");
}

TEST(PlanDevice, RefusesASizeThatIsNone) {
  EXPECT_THROW(plan_device("24"), usage_error);
  EXPECT_THROW(plan_device("0 B"), usage_error);
  EXPECT_THROW(plan_device(bytes{-1}), usage_error);
}

TEST(PlanDevice, HasNoContentsToRead) {
  plan_device device("1GiB");
  buffer memory(device, 1_MiB, tag::inputs);
  char host = 0;
  device.copy_to_device(memory.address(), &host, 1_B, {});
  device.fill_zero(memory.address(), 1_MiB, {});
  device.copy_on_device(memory.address(), memory.address(), 1_MiB, {});
  try {
    device.copy_to_host(&host, memory.address(), 1_B, {});
    FAIL() << "was copied";
  } catch (const usage_error& fault) {
    EXPECT_THAT(fault.what(), ::testing::HasSubstr("plan:1GiB: 1 B cannot be copied to the host"));
  }
}

TEST(PlanDevice, ReadsNothingOfASystem) {
  plan_device device("1GiB");
  const system_reading reading = device.read_system();
  EXPECT_FALSE(reading.free || reading.total || reading.process);
}

TEST(CpuDevice, DeclaresTheHostsMemory) {
  cpu_device device;
  EXPECT_EQ(device.info().id, "cpu");
  EXPECT_EQ(device.info().capacity, physical_memory());
  EXPECT_FALSE(device.info().name.empty());
  EXPECT_TRUE(device.info().prediction());
  EXPECT_TRUE(device.computes());
  EXPECT_EQ(cpu_device({}, 8_MiB).info().capacity, 8_MiB);
}

TEST(CpuDevice, CopiesAndFillsAtOnce) {
  cpu_device device({}, 64_MiB);
  const std::string text = "what is copied";
  const bytes size{static_cast<std::int64_t>(text.size())};
  buffer first(device, size, tag::inputs);
  buffer second(device, size, tag::inputs);
  device.copy_to_device(first.address(), text.data(), size, {});
  device.copy_on_device(second.address(), first.address(), size, {});
  device.fill_zero(first.address(), size, {});
  std::string back(text.size(), 'x');
  device.copy_to_host(back.data(), second.address(), size, {});
  EXPECT_EQ(back, text);
  device.copy_to_host(back.data(), first.address(), size, {});
  EXPECT_EQ(back, std::string(text.size(), '\0'));
  device.copy_to_host(nullptr, nullptr, 0_B, {});  // nothing of nothing
}

TEST(CpuDevice, ReadsTheSystem) {
  cpu_device device;
  const system_reading reading = device.read_system();
  ASSERT_TRUE(reading.free && reading.total && reading.process);
  EXPECT_GT(reading.free->n, 0);
  EXPECT_LE(*reading.free, *reading.total);
  EXPECT_GT(reading.process->n, 0);
}

/// Blocks on two streams, cross-stream uses, pressure and an empty cache.
std::vector<caching_statistics> work_on(ticketed_device& device) {
  std::vector<caching_statistics> all;
  const stream_id side = device.create_stream();
  std::vector<buffer> live;
  for (int i = 1; i < 40; ++i) {
    live.emplace_back(device, bytes{i * 300'000}, tag::activations,
                      i % 3 == 0 ? side : stream_id{});
    if (i % 4 == 0) device.allocator().record_use(live.back().block(), side);
    if (i % 5 == 0) live[static_cast<std::size_t>(i / 2)].reset();
    if (i == 20) device.order_after({}, side);
    if (i == 25) device.synchronize(stream_id{});
    if (i == 30) device.allocator().empty_cache();
    if (i == 35) device.counters().reset_peaks();
    all.push_back(device.caching()->statistics());
  }
  live.clear();
  device.synchronize();
  device.allocator().empty_cache();
  all.push_back(device.caching()->statistics());
  return all;
}

class CpuAndPlan : public ::testing::TestWithParam<const char*> {};

TEST_P(CpuAndPlan, CountTheSame) {
  const allocator_settings settings = parse_allocator_settings(GetParam());
  cpu_device cpu(settings, 256_MiB);
  plan_device plan(256_MiB, settings);
  const auto on_cpu = work_on(cpu);
  const auto on_plan = work_on(plan);
  ASSERT_EQ(on_cpu.size(), on_plan.size());
  for (std::size_t i = 0; i < on_cpu.size(); ++i) {
    EXPECT_EQ(on_cpu[i].counters, on_plan[i].counters) << i;
    EXPECT_EQ(on_cpu[i].active, on_plan[i].active) << i;
    EXPECT_EQ(on_cpu[i].by_tag, on_plan[i].by_tag) << i;
  }
  EXPECT_GT(on_cpu[38].counters.allocated.peak, 0_B);
  EXPECT_EQ(on_cpu.back().counters.reserved.current, 0_B);
}

INSTANTIATE_TEST_SUITE_P(Settings, CpuAndPlan,
                         ::testing::Values("", "expandable_segments:True", "max_split_size_mb:20"));

TEST(TicketedDevice, HandsOutStreams) {
  plan_device device("1GiB");
  const stream_id first = device.create_stream();
  const stream_id second = device.create_stream();
  EXPECT_NE(first, stream_id{});
  EXPECT_NE(first, second);
  EXPECT_EQ(device.native_stream(first), nullptr);
}

TEST(TicketedDevice, SynchronizingReleasesPendingBlocks) {
  plan_device device("1GiB");
  const stream_id side = device.create_stream();
  buffer shared(device, 1_MiB, tag::inputs);
  device.allocator().record_use(shared.block(), side);
  shared.reset();
  EXPECT_EQ(device.caching()->statistics().counters.allocated.current, 0_B);
  EXPECT_EQ(device.caching()->statistics().active, 1_MiB);
  device.synchronize();
  EXPECT_EQ(device.caching()->statistics().active, 1_MiB) << "looked at by the next allocation";
  const buffer next(device, 1_B, tag::inputs);
  EXPECT_EQ(device.caching()->statistics().active, 512_B);
}

}  // namespace
}  // namespace headroom
