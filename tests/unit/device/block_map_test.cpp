// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/ticket_clock.hpp>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "device/caching/block_map.hpp"

namespace headroom::caching {
namespace {

using namespace headroom::literals;

TEST(BlockRow, EqualsAVector) {
  std::mt19937_64 random(6);
  block_row row;
  std::vector<std::pair<std::uint64_t, block_state>> expected;
  constexpr std::uint64_t base = block_row::base_bound - 12'345;
  constexpr char* address = nullptr;
  row.set_base(base);
  row.address = address + 512;
  row.previous = ~0U;
  row.next = ~0U - 1;
  row.segment = ~0U - 2;
  row.owner = ~0U - 3;
  // The nearest, the farthest, and some between them.
  const auto distance = [&] {
    const std::uint64_t any = random() % block_row::reach;
    return random() % 3 == 0 ? (any % 2 == 0 ? 0 : block_row::reach - 1) : any;
  };
  std::size_t times_full = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t where = distance();
    const auto at = std::lower_bound(expected.begin(), expected.end(),
                                     std::make_pair(where, block_state::live));
    const auto slot = static_cast<std::uint32_t>(at - expected.begin());
    ASSERT_EQ(row.count_below(where), slot);
    const bool known = at != expected.end() && at->first == where;
    const auto state = static_cast<block_state>(random() % 6);
    if (!known && !row.full() && random() % 100 < (i % 2'000 < 1'000 ? 80U : 30U)) {
      row.insert(slot, where, state);
      expected.insert(at, {where, state});
    } else if (at != expected.end() && random() % 2 == 0) {
      row.erase(slot);
      expected.erase(at);
    } else if (at != expected.end()) {
      row.set_state(slot, state);
      at->second = state;
    }
    ASSERT_EQ(row.count(), expected.size());
    ASSERT_EQ(row.empty(), expected.empty());
    ASSERT_EQ(row.full(), expected.size() == block_row::slots);
    ASSERT_EQ(row.holds(row.count()), false);
    for (std::uint32_t each = 0; each < expected.size(); ++each) {
      ASSERT_TRUE(row.holds(each));
      ASSERT_EQ(std::make_pair(row.distance(each), row.state(each)), expected[each]);
    }
    ASSERT_EQ(row.base(), base);
    ASSERT_EQ(row.address, address + 512);
    ASSERT_EQ(std::make_tuple(row.previous, row.next, row.segment, row.owner),
              std::make_tuple(~0U, ~0U - 1, ~0U - 2, ~0U - 3));
    if (row.full()) ++times_full;
  }
  EXPECT_GT(times_full, 100U);
  row.set_base(7);
  EXPECT_EQ(row.base(), 7U);
  ASSERT_EQ(row.count(), expected.size());
}

/// Segments are cut into blocks, whose blocks are joined again; some of them go.
class BlockMap : public ::testing::Test {
 protected:
  struct known {
    std::uint64_t begin;
    std::uint64_t units;
    char* address;
  };

  void begin_segment(std::uint64_t units) {
    const known made{next_, units, reinterpret_cast<char*>(random_() % (1U << 30U) * 512)};
    const auto number = static_cast<std::uint32_t>(segments_.size());
    hints_[next_] =
        blocks_.begin_segment(next_, units, {made.address, number, number % 7}, block_state::free)
            .row;
    map_[next_] = block_state::free;
    map_[next_ + units] = block_state::edge;
    segments_.push_back(made);
    next_ += units + 1;
  }

  void join_all(std::size_t segment) {
    const auto [begin, units, address] = segments_[segment];
    for (auto at = std::next(map_.find(begin)); at->second != block_state::edge;) {
      blocks_.erase(blocks_.next(find(begin)));
      at = map_.erase(at);
    }
  }

  [[nodiscard]] block_map::cursor find(std::uint64_t place) {
    return blocks_.find(place, hints_[place]);
  }

  /// Both by place and by address, and with what it has in common with its segment.
  void check(std::uint64_t place, std::size_t segment) {
    const auto [begin, units, address] = segments_[segment];
    const block_map::cursor at = find(place);
    ASSERT_TRUE(at);
    ASSERT_EQ(blocks_.place(at), place);
    ASSERT_EQ(blocks_.state(at), map_[place]);
    ASSERT_EQ(blocks_.segment(at), segment);
    ASSERT_EQ(blocks_.owner(at), segment % 7);
    void* const expected = address + (place - begin) * 512;
    ASSERT_EQ(blocks_.address(at), expected);
    const block_map::cursor near = blocks_.find_near(expected, at.row);
    ASSERT_EQ(std::make_pair(near.row, near.slot), std::make_pair(at.row, at.slot));
    const auto here = map_.find(place);
    ASSERT_EQ(blocks_.place(blocks_.next(at)), std::next(here)->first);
    if (place == begin) {
      ASSERT_FALSE(blocks_.previous(at));
    } else {
      ASSERT_EQ(blocks_.place(blocks_.previous(at)), std::prev(here)->first);
    }
  }

  std::mt19937_64 random_{3};
  block_map blocks_;
  std::map<std::uint64_t, block_state> map_;
  std::unordered_map<std::uint64_t, std::uint32_t> hints_;  // as holders keep them: never mended
  std::vector<known> segments_;                             // without units: it is gone
  std::uint64_t next_ = 0;
};

TEST_F(BlockMap, EqualsAnOrderedMap) {
  for (int i = 0; i < 60'000; ++i) {
    // Some segments reach farther than one row can tell.
    if (i % 300 == 0)
      begin_segment(i % 1'500 == 0 ? std::uint64_t{1} << 40 : 1 + random_() % 5'000);
    const std::size_t segment = random_() % segments_.size();
    const auto [begin, units, address] = segments_[segment];
    if (units == 0) continue;
    if (random_() % 2'000 == 0) {
      join_all(segment);
      blocks_.end_segment(find(begin));
      map_.erase(begin);
      map_.erase(begin + units);
      segments_[segment].units = 0;
      continue;
    }
    const auto at =
        std::prev(map_.upper_bound(begin + random_() % std::min<std::uint64_t>(units, 100'000)));
    ASSERT_NO_FATAL_FAILURE(check(at->first, segment));
    const block_map::cursor here = find(at->first);
    const auto next = std::next(at);
    const std::uint64_t size = next->first - at->first;
    const bool cuts = random_() % 100 < (i % 20'000 < 12'000 ? 70U : 20U);
    if (cuts && size > 1) {
      const std::uint64_t place = at->first + 1 + random_() % (size - 1);
      const auto [low, high] = blocks_.insert_after(here, place, block_state::live);
      ASSERT_EQ(blocks_.place(low), at->first);
      ASSERT_EQ(blocks_.place(high), place);
      hints_[place] = high.row;
      map_[place] = block_state::live;
    } else if (!cuts && next->second != block_state::edge) {
      blocks_.erase(blocks_.next(here));
      ASSERT_EQ(blocks_.place(here), at->first);
      map_.erase(next);
    } else {
      const auto state = static_cast<block_state>(random_() % 5);
      blocks_.set_state(here, state);
      at->second = state;
    }
  }
  std::size_t count = 0;
  for (std::size_t segment = 0; segment < segments_.size(); ++segment) {
    const auto [begin, units, address] = segments_[segment];
    if (units == 0) continue;
    for (auto at = map_.find(begin); at->second != block_state::edge; ++at, ++count) {
      ASSERT_NO_FATAL_FAILURE(check(at->first, segment));
    }
  }
  EXPECT_GT(count, 1'000U);
}

TEST_F(BlockMap, FindsNothingBetweenBlocks) {
  EXPECT_FALSE(blocks_.find(0, 0));
  next_ = 100;
  begin_segment(100);
  const std::uint32_t row = hints_[100];
  EXPECT_TRUE(blocks_.find(100, row));
  EXPECT_TRUE(blocks_.find(100, 0)) << "without a hint";
  EXPECT_FALSE(blocks_.find(150, row));
  EXPECT_FALSE(blocks_.find(99, row));
  EXPECT_FALSE(blocks_.find(std::uint64_t{1} << 50, row));
  EXPECT_TRUE(blocks_.find_near(segments_[0].address, row));
  EXPECT_FALSE(blocks_.find_near(segments_[0].address + 512, row));
  EXPECT_FALSE(blocks_.find_near(segments_[0].address - 512, row));
}

/// A segment of the small pool and one of the large pool's smallest, cut at every third unit from
/// the front, from the back and in the middle first: rows fill up and are halved at all slots.
TEST_F(BlockMap, FindsBlocksThatMovedToOtherRows) {
  for (const std::uint64_t units : {4'096U, 40'960U}) {
    for (const int order : {0, 1, 2}) {
      begin_segment(units);
      const std::size_t segment = segments_.size() - 1;
      const std::uint64_t begin = segments_[segment].begin;
      std::vector<std::uint64_t> places;
      for (std::uint64_t at = 3; at < units && places.size() < 600; at += 3) {
        places.push_back(begin + at);
      }
      if (order == 1) std::reverse(places.begin(), places.end());
      if (order == 2) std::shuffle(places.begin(), places.end(), random_);
      for (const std::uint64_t place : places) {
        const std::uint64_t before = std::prev(map_.lower_bound(place))->first;
        const auto [low, high] = blocks_.insert_after(find(before), place, block_state::used);
        ASSERT_EQ(blocks_.place(low), before);
        ASSERT_EQ(blocks_.place(high), place);
        ASSERT_EQ(blocks_.state(low), map_[before]);
        hints_[place] = high.row;
        map_[place] = block_state::used;
      }
      const std::uint32_t first_row = find(begin).row;
      for (const std::uint64_t place : places) {
        ASSERT_NO_FATAL_FAILURE(check(place, segment));
        ASSERT_EQ(blocks_.place(blocks_.find(place, first_row)), place) << "far from its hint";
        ASSERT_FALSE(blocks_.find(place + 1, hints_[place]));
        // Near it is found or not, but never another one.
        void* const address = segments_[segment].address + (place - begin) * 512;
        const block_map::cursor near = blocks_.find_near(address, hints_[place]);
        if (near) {
          ASSERT_EQ(blocks_.place(near), place);
        }
      }
      // Joined again: rows become empty and go, the segment's first one last.
      for (const std::uint64_t place : places) {
        const block_map::cursor gone = find(place);
        ASSERT_TRUE(gone);
        blocks_.erase(gone);
        map_.erase(place);
        ASSERT_FALSE(find(place));
      }
      ASSERT_NO_FATAL_FAILURE(check(begin, segment));
      ASSERT_EQ(blocks_.state(blocks_.next(find(begin))), block_state::edge);
    }
  }
}

/// Blocks of 32 MiB and more, and the ends of segments that large, have rows of their own.
TEST_F(BlockMap, HoldsBlocksFartherApartThanARowReaches) {
  for (const std::uint64_t size : {65'534U, 65'535U, 65'536U, 1'000'000U}) {
    constexpr std::uint64_t count = 50;
    begin_segment(size * count);
    const std::size_t segment = segments_.size() - 1;
    const std::uint64_t begin = segments_[segment].begin;
    for (std::uint64_t i = count - 1; i > 0; --i) {
      const std::uint64_t place = begin + i * size;
      hints_[place] = blocks_.insert_after(find(begin), place, block_state::pending).high.row;
      map_[place] = block_state::pending;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      ASSERT_NO_FATAL_FAILURE(check(begin + i * size, segment));
      if (i == 0) continue;
      // One more in front of it and one behind it, which go again.
      const std::uint64_t place = begin + i * size;
      for (const std::uint64_t extra : {place - 1, place + 1}) {
        const std::uint64_t before = std::prev(map_.lower_bound(extra))->first;
        const auto [low, high] = blocks_.insert_after(find(before), extra, block_state::live);
        ASSERT_EQ(blocks_.place(low), before);
        ASSERT_EQ(blocks_.place(high), extra);
        ASSERT_EQ(blocks_.place(blocks_.next(high)), map_.upper_bound(extra)->first);
        blocks_.erase(high);
      }
      ASSERT_NO_FATAL_FAILURE(check(place, segment));
    }
  }
}

TEST_F(BlockMap, HoldsManySegmentsApart) {
  block_map map;
  constexpr std::uint64_t units = 4;
  std::vector<block_map::cursor> all;
  const auto address_of = [](std::size_t i) {
    return reinterpret_cast<void*>((i + 1) * 16 * static_cast<std::size_t>(unit.n));
  };
  for (std::size_t i = 0; i < 50'000; ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    all.push_back(map.begin_segment(i * (units + 1), units, {address_of(i), number, number % 7},
                                    i % 2 == 0 ? block_state::live : block_state::free));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(map.place(all[i]), i * (units + 1));
    ASSERT_EQ(map.address(all[i]), address_of(i));
    ASSERT_EQ(map.segment(all[i]), i);
    ASSERT_EQ(map.owner(all[i]), i % 7);
    ASSERT_EQ(map.state(all[i]), i % 2 == 0 ? block_state::live : block_state::free);
    ASSERT_EQ(map.state(map.next(all[i])), block_state::edge);
    ASSERT_EQ(map.find_near(address_of(i), all[i].row).row, all[i].row);
  }
}

/// Places of blocks run out after 32 EiB of segments, all that were given back counted: then the
/// driver is not asked any more.
TEST(CachingAllocatorPlaces, RunOutAfterThirtyTwoExbibytesOfSegments) {
  constexpr bytes half_exbibyte{std::int64_t{1} << 59};
  address_segments source(half_exbibyte, "plan:test");
  ticket_clock clock;
  caching_allocator allocator(source, clock);
  for (int taken = 1; taken < 64; ++taken) {
    const allocation block = allocator.allocate(half_exbibyte, {}, tag::other);
    EXPECT_EQ(allocator.place_of(block)->segment, static_cast<std::uint64_t>(taken - 1));
    ASSERT_EQ(allocator.blocks().front().size, half_exbibyte);
    allocator.deallocate(block);
    ASSERT_EQ(allocator.empty_cache(), half_exbibyte);
  }
  EXPECT_THROW((void)allocator.allocate(half_exbibyte, {}, tag::other), out_of_memory);
  EXPECT_EQ(source.free_now(), half_exbibyte) << "nothing was taken";
  EXPECT_NE(allocator.allocate(1_MiB, {}, tag::other).address, nullptr) << "places are left for it";
}

}  // namespace
}  // namespace headroom::caching
