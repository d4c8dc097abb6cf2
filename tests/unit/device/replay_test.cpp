// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/device/replay.hpp>

#include <gmock/gmock.h>

#include <headroom/device/address_segments.hpp>
#include <map>
#include <random>
#include <vector>

namespace headroom {
namespace {

class Replay : public ::testing::Test {
 protected:
  replay_step allocate(std::uint64_t id, bytes size, tag what = tag::other) {
    return run_.apply({trace_operation::allocate, id, {}, size, what});
  }
  replay_step free(std::uint64_t id) { return run_.apply({trace_operation::free, id, {}, {}, {}}); }

  address_segments source_{64_MiB, "plan"};
  ticket_clock clock_;
  caching_allocator allocator_{source_, clock_};
  replay run_{allocator_, clock_};
};

TEST_F(Replay, AStepTellsTheBlock) {
  const replay_step made = allocate(7, 1000_B, tag::weights);
  EXPECT_EQ(made.block.id, 7U);
  EXPECT_EQ(made.block.since, 0U);
  EXPECT_EQ(made.block.held.size, 1024_B);
  EXPECT_EQ(made.block.what, tag::weights);
  EXPECT_EQ(made.refused, nullptr);
  allocate(8, 1_B);
  const replay_step gone = free(7);
  EXPECT_EQ(gone.block.since, 0U);
  EXPECT_EQ(gone.block.held.size, 1024_B);
  EXPECT_EQ(gone.block.what, tag::weights);
  EXPECT_EQ(run_.events(), 3U);
  ASSERT_EQ(run_.live().size(), 1U);
  EXPECT_EQ(run_.live()[0].id, 8U);
  EXPECT_EQ(run_.live()[0].since, 1U);
}

TEST_F(Replay, ARefusedBlockIsLiveAndHoldsNothing) {
  const replay_step made = allocate(1, 65_MiB);
  ASSERT_NE(made.refused, nullptr);
  EXPECT_EQ(made.refused->requested, 65_MiB);
  EXPECT_EQ(made.block.held.size, 0_B);
  EXPECT_EQ(made.block.held.requested, 65_MiB);
  EXPECT_EQ(run_.live().size(), 1U);
  free(1);
  EXPECT_THROW(free(1), usage_error);
}

TEST_F(Replay, AFaultChangesNothing) {
  allocate(1, 512_B);
  EXPECT_THROW(allocate(1, 512_B), usage_error);
  EXPECT_THROW(free(2), usage_error);
  EXPECT_THROW(run_.apply({trace_operation::use, 2, stream_id{1}, {}, {}}), usage_error);
  EXPECT_EQ(run_.events(), 1U);
  EXPECT_EQ(allocator_.statistics().counters.allocated.current, 512_B);
}

/// Ids as they come: counting up, addresses, random, and close together at the end of their range.
TEST_F(Replay, AnyIdsAreFoundAgain) {
  std::mt19937_64 random(3);
  std::map<std::uint64_t, std::uint64_t> since;
  std::uint64_t next = 0;
  const auto fresh_id = [&]() -> std::uint64_t {
    switch (++next; random() % 4) {
      case 0:
        return next;
      case 1:
        return 0x7f0000000000U + next * 512;
      case 2:
        return random();
      default:
        return ~std::uint64_t{0} - next;
    }
  };
  for (std::uint64_t event = 0; event < 40'000; ++event) {
    const bool grows = since.size() < 2'000 && (since.empty() || random() % 2 == 0);
    if (grows) {
      const std::uint64_t id = fresh_id();
      if (since.count(id) != 0) continue;
      since[id] = run_.events();
      allocate(id, 1_B);
      continue;
    }
    auto gone = since.lower_bound(random());
    if (gone == since.end()) gone = since.begin();
    ASSERT_EQ(free(gone->first).block.since, gone->second);
    since.erase(gone);
  }
  std::map<std::uint64_t, std::uint64_t> left;
  for (const traced_block& block : run_.live()) left[block.id] = block.since;
  EXPECT_EQ(left, since);
  EXPECT_EQ(allocator_.statistics().counters.requested.current.n,
            static_cast<std::int64_t>(since.size()));
}

TEST(Cached, TellsEachPoolsFreeBlocks) {
  address_segments source(1_GiB, "plan");
  ticket_clock clock;
  caching_allocator allocator(source, clock);
  EXPECT_TRUE(allocator.cached().empty());
  const allocation small = allocator.allocate(1024_B, {}, tag::other);
  const allocation large = allocator.allocate(12_MiB, {}, tag::other);
  const allocation elsewhere = allocator.allocate(2_MiB, stream_id{3}, tag::other);
  allocator.deallocate(large);
  const std::vector<cached_pool> all = allocator.cached();
  ASSERT_EQ(all.size(), 3U);
  bytes total;
  for (const cached_pool& pool : all) {
    EXPECT_EQ(pool.blocks, 1);
    EXPECT_EQ(pool.largest, pool.total);
    if (pool.small) {
      EXPECT_EQ(pool.total, 2_MiB - 1024_B);
    } else {
      EXPECT_EQ(pool.total, pool.stream.n == 3 ? 18_MiB : 12_MiB);
    }
    total += pool.total;
  }
  const memory_counters held = allocator.statistics().counters;
  EXPECT_EQ(total, held.reserved.current - held.allocated.current);
  allocator.deallocate(small);
  allocator.deallocate(elsewhere);
}

TEST(AddressSegments, RemembersTheMostItHeld) {
  address_segments source(64_MiB, "plan");
  void* const first = source.take(20_MiB);
  void* const second = source.take(20_MiB);
  source.give_back(first, 20_MiB);
  EXPECT_EQ(source.take(60_MiB), nullptr);
  EXPECT_EQ(source.most_held(), 40_MiB);
  EXPECT_TRUE(source.map(source.reserve_range(44_MiB), 44_MiB));
  EXPECT_EQ(source.most_held(), 64_MiB);
  source.give_back(second, 20_MiB);
}

}  // namespace
}  // namespace headroom
