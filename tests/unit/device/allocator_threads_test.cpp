// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// One allocator, many threads: totals are exact. Run under the preset "tsan" as well.
#include <gtest/gtest.h>

#include <atomic>
#include <headroom/core/error.hpp>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/ticket_clock.hpp>
#include <random>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace headroom {
namespace {

using namespace headroom::literals;

/// Allocates and frees at random, and keeps what is left at the end.
void work(caching_allocator& allocator, ticket_clock& clock, unsigned seed, int events,
          std::vector<allocation>& live) {
  std::mt19937 random(seed);
  const stream_id stream{seed % 3};
  const auto any_stream = [&] { return stream_id{static_cast<std::uint32_t>(random() % 4)}; };
  for (int i = 0; i < events; ++i) {
    if (live.empty() || (live.size() < 60 && random() % 2 == 0)) {
      const bytes size{
          1 + static_cast<std::int64_t>(random() % (random() % 4 == 0 ? 5'000'000U : 5'000U))};
      try {
        live.push_back(allocator.allocate(size, stream, all_tags[seed % tag_count]));
      } catch (const out_of_memory&) {
        // Another thread has the memory now.
      }
      continue;
    }
    std::swap(live[random() % live.size()], live.back());
    if (random() % 8 == 0) allocator.record_use(live.back(), any_stream());
    allocator.deallocate(live.back());
    live.pop_back();
    if (random() % 100 == 0) clock.complete(any_stream());
    if (random() % 500 == 0) allocator.empty_cache();
  }
}

class AllocatorThreads : public ::testing::TestWithParam<std::tuple<unsigned, const char*>> {};

TEST_P(AllocatorThreads, CountExactly) {
  const auto [count, settings] = GetParam();
  address_segments source(600_MiB, "plan");
  ticket_clock clock;
  caching_allocator allocator(source, clock, parse_allocator_settings(settings));
  std::vector<std::vector<allocation>> live(count);
  std::atomic<bool> done = false;
  std::thread reader([&] {
    while (!done) {
      const caching_statistics now = allocator.statistics();
      ASSERT_LE(now.counters.allocated.current, now.active);
      ASSERT_LE(now.active, now.counters.reserved.current);
      ASSERT_EQ(now.by_tag.total(), now.counters.allocated.current);
      ASSERT_LE(now.counters.allocated.current, now.counters.allocated.peak);
    }
  });
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) {
    threads.emplace_back([&, i] { work(allocator, clock, i + 1, 8'000, live[i]); });
  }
  for (std::thread& each : threads) each.join();
  done = true;
  reader.join();

  bytes allocated;
  bytes requested;
  tag_table by_tag;
  for (unsigned i = 0; i < count; ++i) {
    for (const allocation& block : live[i]) {
      allocated += block.size;
      requested += block.requested;
      by_tag[all_tags[(i + 1) % tag_count]] += block.size;
    }
  }
  clock.complete_all();
  allocator.empty_cache();  // releases what is pending
  const caching_statistics after = allocator.statistics();
  EXPECT_GT(allocated, 0_B);
  EXPECT_EQ(after.counters.allocated.current, allocated);
  EXPECT_EQ(after.counters.requested.current, requested);
  EXPECT_EQ(after.active, allocated);
  EXPECT_EQ(after.by_tag, by_tag);
  EXPECT_EQ(after.counters.reserved.current, 600_MiB - *source.free_now());

  // What one thread allocated, another gives back.
  std::vector<std::thread> others;
  for (unsigned i = 0; i < count; ++i) {
    others.emplace_back([&, i] {
      for (const allocation& block : live[(i + 1) % count]) allocator.deallocate(block);
    });
  }
  for (std::thread& each : others) each.join();
  allocator.empty_cache();
  EXPECT_EQ(allocator.statistics().active, 0_B);
  EXPECT_EQ(allocator.statistics().counters.requested.current, 0_B);
  EXPECT_EQ(source.free_now(), 600_MiB);
}

INSTANTIATE_TEST_SUITE_P(Threads, AllocatorThreads,
                         ::testing::Combine(::testing::Values(1U, 2U, 3U, 4U, 8U),
                                            ::testing::Values("", "max_split_size_mb:20",
                                                              "expandable_segments:True")));

TEST(TicketClockThreads, PassExactlyWhatIsWaitedFor) {
  ticket_clock clock;
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < 4; ++i) {
    threads.emplace_back([&clock, i] {
      for (int n = 0; n < 5'000; ++n) {
        const stream_point point = clock.record({i % 2});
        if (n % 3 == 0) clock.order_after({i % 2}, {2 + i});
        clock.wait(point);
        ASSERT_TRUE(clock.passed(point));
      }
    });
  }
  for (std::thread& each : threads) each.join();
}

}  // namespace
}  // namespace headroom
