// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <headroom/core/error.hpp>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/device/replay.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/temporary_folder.hpp"

namespace headroom {
namespace {

using namespace headroom::literals;
using test::temporary_folder;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

allocator_choice logged(const std::filesystem::path& file, std::string_view allocator = "") {
  allocator_choice choice = parse_allocator_choice(allocator);
  choice.event_log = file;
  return choice;
}

/// Work with two streams, cached blocks, a refusal, blocks of no bytes and an emptied cache.
void log_work_on(device& on) {
  const stream_id side = on.create_stream();
  const buffer weights(on, 30_MiB, tag::weights);
  {
    const allocation used = on.allocator().allocate(3_MiB, {}, tag::activations);
    on.allocator().record_use(used, side);
    on.allocator().deallocate(used);
    const buffer none(on, 0_B, tag::temporary);
  }
  const buffer beside(on, 3_MiB, tag::activations);  // the used one is still waited for
  on.counters().reset_peaks();
  on.synchronize(side);
  const buffer again(on, 3_MiB, tag::gradients);
  EXPECT_THROW(buffer(on, 200_MiB, tag::optimizer), out_of_memory);
  on.allocator().empty_cache();
  on.synchronize();
}

TEST(EventLog, ReplaysToTheSameCounters) {
  for (const char* settings : {"", "max_split_size_mb:20", "roundup_power2_divisions:4"}) {
    const temporary_folder folder;
    source_reading then;
    {
      plan_device on("100MiB", logged(folder.path() / "log.trace", settings));
      log_work_on(on);
      then = on.counters().read();
      // Blocks go with the device: what the log ends with is behind the reading.
    }
    std::ifstream in(folder.path() / "log.trace");
    trace_reader reader(in, "log.trace");
    EXPECT_EQ(reader.header().capacity, 100_MiB);
    address_segments source(reader.header().capacity, "plan:100MiB");
    ticket_clock clock;
    caching_allocator allocator(source, clock, reader.header().settings);
    replay run(allocator, clock);
    while (const auto event = reader.next()) (void)run.apply(*event);
    const caching_statistics now = allocator.statistics();
    EXPECT_EQ(now.counters.allocated.peak, then[counter_id::allocated_peak]) << settings;
    EXPECT_EQ(now.counters.reserved.peak, then[counter_id::reserved_peak]) << settings;
    EXPECT_EQ(now.counters.reserved.current, then[counter_id::reserved_current]) << settings;
    EXPECT_EQ(now.counters.requested.peak, then.requested_peak) << settings;
    EXPECT_EQ(now.retries, then.retries) << settings;
    EXPECT_EQ(now.refusals, then.refusals) << settings;
    EXPECT_EQ(now.refusals, 1);
    EXPECT_EQ(now.counters.allocated.current,
              0_B);  // everything was given back behind that reading
  }
}

TEST(EventLog, HasItsNameOnlyWhenItIsWhole) {
  const temporary_folder folder;
  const auto file = folder.path() / "log.trace";
  {
    plan_device on("100MiB", logged(file));
    const buffer block(on, 1_MiB, tag::weights);
    EXPECT_FALSE(std::filesystem::exists(file));
  }
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_THROW(plan_device("100MiB", logged(file)), output_error);
  EXPECT_THROW(plan_device("100MiB", logged(folder.path() / "none" / "log.trace")), output_error);
}

TEST(EventLog, NamesWhatWasAskedFor) {
  const temporary_folder folder;
  {
    plan_device on("100MiB", logged(folder.path() / "log.trace", "max_split_size_mb:64"));
    { const buffer block(on, 1000_B, tag::kv_cache); }
    EXPECT_THROW(buffer(on, 200_MiB, tag::optimizer), out_of_memory);
  }
  const std::string text = text_of(folder.path() / "log.trace");
  EXPECT_THAT(text, testing::StartsWith("headroom-trace 1\ncapacity 104857600\n"
                                        "setting max_split_size_mb 64\na "));
  EXPECT_THAT(text, testing::HasSubstr(" 0 1000 kv_cache\nf "));
  EXPECT_THAT(text, testing::EndsWith("a 1 0 209715200 optimizer\n"));
}

TEST(EventLog, OfThreadsIsInTheOrderInWhichTheAllocatorWorked) {
  const temporary_folder folder;
  source_reading then;
  {
    plan_device on("1GiB", logged(folder.path() / "log.trace"));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&on, t] {
        for (int i = 0; i < 2000; ++i) const buffer block(on, (1 + (i * 7 + t) % 50) * 64_KiB, {});
      });
    }
    for (std::thread& each : threads) each.join();
    then = on.counters().read();
  }
  std::ifstream in(folder.path() / "log.trace");
  trace_reader reader(in, "log.trace");
  address_segments source(reader.header().capacity, "plan:1GiB");
  ticket_clock clock;
  caching_allocator allocator(source, clock, reader.header().settings);
  replay run(allocator, clock);
  while (const auto event = reader.next()) (void)run.apply(*event);
  EXPECT_EQ(run.events(), 16'000U);
  EXPECT_TRUE(run.live().empty());
  EXPECT_EQ(allocator.statistics().counters.allocated.peak, then[counter_id::allocated_peak]);
  EXPECT_EQ(allocator.statistics().counters.reserved.peak, then[counter_id::reserved_peak]);
}

}  // namespace
}  // namespace headroom
