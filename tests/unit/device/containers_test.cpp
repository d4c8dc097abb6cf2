// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The allocator's own containers against those of the standard library, over random changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "device/caching/bin_table.hpp"
#include "device/caching/block_map.hpp"
#include "device/caching/free_index.hpp"
#include "device/caching/ordered_trees.hpp"
#include "device/caching/ring.hpp"
#include "device/flat_map.hpp"

namespace headroom::caching {
namespace {

using trees = ordered_trees<std::uint64_t, 256>;

TEST(OrderedTrees, EqualMapsOfTheStandardLibrary) {
  std::mt19937_64 random(1);
  trees store;
  std::vector<trees::root> roots(3, nullptr);
  std::vector<std::map<std::uint64_t, std::uint64_t>> maps(3);
  for (int i = 0; i < 60'000; ++i) {
    const std::size_t which = random() % roots.size();
    auto& map = maps[which];
    const bool grows = i % 20'000 < 12'000;  // it grows, and is emptied again
    const std::uint64_t key = random() % 5'000;
    if (map.count(key) == 0 && (grows || random() % 4 == 0)) {
      store.insert(roots[which], key, static_cast<std::uint64_t>(i));
      map[key] = static_cast<std::uint64_t>(i);
    } else if (!map.empty()) {
      const auto gone = map.lower_bound(key) == map.end() ? map.begin() : map.lower_bound(key);
      EXPECT_EQ(store.erase(roots[which], gone->first), map.size() == 1);
      map.erase(gone);
    }
    const std::uint64_t asked = random() % 5'100;
    const auto* const from = trees::at_least(roots[which], asked);
    const auto expected = map.lower_bound(asked);
    ASSERT_EQ(from != nullptr, expected != map.end());
    if (from != nullptr) {
      ASSERT_EQ(std::make_pair(from->key, from->value),
                std::make_pair(expected->first, expected->second));
    }
    const auto* const below = trees::below(roots[which], asked);
    ASSERT_EQ(below != nullptr, expected != map.begin());
    if (below != nullptr) {
      ASSERT_EQ(below->key, std::prev(expected)->first);
    }
    ASSERT_EQ(trees::first(roots[which]) != nullptr, !map.empty());
    if (!map.empty()) {
      ASSERT_EQ(trees::first(roots[which])->key, map.begin()->first);
      ASSERT_EQ(trees::last(roots[which])->key, map.rbegin()->first);
    }
  }
}

TEST(BinTable, EqualsMapsOfTheStandardLibrary) {
  using table = bin_table<std::uint64_t, 3>;
  std::mt19937_64 random(2);
  table::trees store;
  table bins;
  std::map<std::size_t, std::map<std::uint64_t, std::uint64_t>> maps;  // no empty ones
  const auto check = [&](const table::entry* found, std::size_t bin, auto expected) {
    ASSERT_EQ(found != nullptr, expected != maps[bin].end());
    if (found == nullptr) return;
    ASSERT_EQ(std::make_pair(found->key, found->value),
              std::make_pair(expected->first, expected->second));
  };
  for (int i = 0; i < 60'000; ++i) {
    // Most bins have an entry or two, and one of them many.
    const std::size_t bin = random() % 2 == 0 ? 70 : random() % 192;
    auto& map = maps[bin];
    const std::uint64_t key = random() % 500;
    const auto known = map.lower_bound(key);
    if (random() % 2 == 0 && map.count(key) == 0) {
      bins.insert(store, bin, key, static_cast<std::uint64_t>(i));
      map[key] = static_cast<std::uint64_t>(i);
    } else if (known != map.end()) {
      bins.erase(store, bin, known->first);
      map.erase(known);
    }
    const std::uint64_t asked = random() % 510;
    check(bins.first(bin), bin, map.begin());
    check(bins.last(bin), bin, map.empty() ? map.end() : std::prev(map.end()));
    check(bins.at_least(bin, asked), bin, map.lower_bound(asked));
    const auto behind = map.lower_bound(asked);
    check(bins.below(bin, asked), bin, behind == map.begin() ? map.end() : std::prev(behind));
    std::erase_if(maps, [](const auto& each) { return each.second.empty(); });
    const std::size_t from = random() % 192;
    const auto next = maps.lower_bound(from);
    ASSERT_EQ(bins.next(from), next == maps.end() ? table::none : next->first);
    ASSERT_EQ(bins.previous(from), next == maps.begin() ? table::none : std::prev(next)->first);
  }
}

TEST(OrderedTrees, HoldAscendingAndDescendingKeys) {
  trees store;
  trees::root up = nullptr;
  trees::root down = nullptr;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    store.insert(up, i, i);
    store.insert(down, 100'000 - i, i);
  }
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    ASSERT_EQ(trees::first(up)->key, i);
    ASSERT_EQ(trees::last(down)->key, 100'000 - i);
    store.erase(up, i);
    store.erase(down, 100'000 - i);
  }
  EXPECT_EQ(up, nullptr);
  EXPECT_EQ(down, nullptr);
}

std::tuple<std::int64_t, std::uint64_t> key_of(const free_block& block) {
  return {block.size.n, block.place};
}

TEST(FreeIndex, EqualsAnOrderedSet) {
  std::mt19937_64 random(2);
  free_index::node_store nodes;
  free_index index(nodes);
  std::set<std::tuple<std::int64_t, std::uint64_t>> set;
  // Sizes around the bins' bounds: one unit, 2 MiB, powers of two, and a few huge ones.
  const auto size = [&] {
    const std::uint64_t base = std::uint64_t{1} << (random() % 40);
    return static_cast<std::int64_t>((base + random() % 4) * 512);
  };
  const auto check = [&](const free_block& found, auto expected) {
    ASSERT_EQ(static_cast<bool>(found), expected != set.end());
    if (!found) return;
    ASSERT_EQ(key_of(found), *expected);
    ASSERT_EQ(found.row, found.place % 89);
  };
  for (int i = 0; i < 60'000; ++i) {
    const bool grows = i % 20'000 < 12'000;
    if (grows || set.empty()) {
      const std::uint64_t place = random() % 1'000'000;
      const free_block added{bytes{size()}, place, static_cast<std::uint32_t>(place % 89)};
      if (set.insert(key_of(added)).second) index.insert(added);
    } else {
      auto gone = set.lower_bound({size(), 0});
      if (gone == set.end()) gone = set.begin();
      index.erase(bytes{std::get<0>(*gone)}, std::get<1>(*gone));
      set.erase(gone);
    }
    const bytes asked{size()};
    ASSERT_NO_FATAL_FAILURE(check(index.at_least(asked), set.lower_bound({asked.n, 0})));
    const auto below = set.lower_bound({asked.n, 0});
    ASSERT_NO_FATAL_FAILURE(
        check(index.below(asked), below == set.begin() ? set.end() : std::prev(below)));
    const free_block first = index.at_least(asked);
    if (!first) continue;
    const auto at = set.find(key_of(first));
    ASSERT_NO_FATAL_FAILURE(check(index.after(first), std::next(at)));
    ASSERT_NO_FATAL_FAILURE(
        check(index.before(first), at == set.begin() ? set.end() : std::prev(at)));
  }
}

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

TEST(Ring, EqualsAQueue) {
  std::mt19937_64 random(4);
  ring<int> queue;
  std::deque<int> expected;
  for (int i = 0; i < 20'000; ++i) {
    if (random() % 100 < (i < 10'000 ? 60U : 40U)) {
      queue.push_back(i);
      expected.push_back(i);
    } else if (!expected.empty()) {
      queue.pop_front();
      expected.pop_front();
    }
    ASSERT_EQ(queue.empty(), expected.empty());
    if (!expected.empty()) {
      ASSERT_EQ(queue.front(), expected.front());
    }
  }
}

TEST(FlatMap, EqualsAMap) {
  std::mt19937_64 random(5);
  flat_map<int> map;
  std::map<std::uint64_t, int> expected;
  for (int i = 0; i < 50'000; ++i) {
    // Keys that differ in their high bits only, too.
    const std::uint64_t key = (random() % 2 == 0 ? random() % 300 : (random() % 300) << 40);
    int* const found = map.find(key);
    const auto there = expected.find(key);
    ASSERT_EQ(found != nullptr, there != expected.end());
    if (found == nullptr) {
      *map.add(key) = i;
      expected[key] = i;
    } else {
      ASSERT_EQ(*found, there->second);
      ASSERT_EQ(map.add(key), nullptr);
      map.remove(key);
      expected.erase(there);
    }
  }
}

}  // namespace
}  // namespace headroom::caching
