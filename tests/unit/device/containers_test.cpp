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
    ASSERT_EQ(found.segment, found.place % 97);
    ASSERT_EQ(found.line, found.place % 89);
  };
  for (int i = 0; i < 60'000; ++i) {
    const bool grows = i % 20'000 < 12'000;
    if (grows || set.empty()) {
      const std::uint64_t place = random() % 1'000'000;
      const free_block added{bytes{size()}, place, static_cast<std::uint32_t>(place % 97),
                             static_cast<std::uint32_t>(place % 89)};
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

/// A segment is cut into blocks and joined again; more segments are put behind.
TEST(BlockMap, EqualsAnOrderedMap) {
  std::mt19937_64 random(3);
  block_map blocks;
  std::map<std::uint64_t, block_state> map;
  std::unordered_map<std::uint64_t, std::uint32_t> hints;  // as handles keep them: never mended
  std::vector<std::pair<std::uint64_t, std::uint64_t>> segments;  // begin, size
  std::uint64_t end = 0;
  const auto append = [&](std::uint64_t place, block_state state) {
    hints[place] = blocks.append(place, state).line;
    map[place] = state;
  };
  for (int i = 0; i < 60'000; ++i) {
    if (i % 300 == 0) {
      // Some reach farther than one line can tell.
      const std::uint64_t size = i % 1'500 == 0 ? std::uint64_t{1} << 40 : 1 + random() % 5'000;
      segments.emplace_back(end, size);
      append(end, block_state::free);
      append(end + size, block_state::edge);
      end += size + 1;
    }
    const auto [begin, reach] = segments[random() % segments.size()];
    auto at =
        std::prev(map.upper_bound(begin + random() % std::min<std::uint64_t>(reach, 100'000)));
    const block_map::cursor here = blocks.find(at->first, hints[at->first]);
    ASSERT_TRUE(here);
    ASSERT_EQ(blocks.place(here), at->first);
    ASSERT_EQ(blocks.state(here), at->second);
    const auto next = std::next(at);
    ASSERT_EQ(blocks.place(blocks.next(here)), next->first);
    if (at == map.begin()) {
      ASSERT_FALSE(blocks.previous(here));
    } else {
      ASSERT_EQ(blocks.place(blocks.previous(here)), std::prev(at)->first);
    }
    const std::uint64_t size = next->first - at->first;
    const bool cuts = random() % 100 < (i % 20'000 < 12'000 ? 70U : 20U);
    if (cuts && size > 1) {
      const std::uint64_t place = at->first + 1 + random() % (size - 1);
      const auto [low, high] = blocks.insert_after(here, place, block_state::live);
      ASSERT_EQ(blocks.place(low), at->first);
      ASSERT_EQ(blocks.place(high), place);
      ASSERT_EQ(blocks.state(high), block_state::live);
      hints[place] = high.line;
      map[place] = block_state::live;
    } else if (!cuts && next->second != block_state::edge) {
      blocks.erase(blocks.next(here));
      ASSERT_EQ(blocks.place(here), at->first);
      map.erase(next);
    } else {
      const auto state = static_cast<block_state>(random() % 5);
      blocks.set_state(here, state);
      at->second = state;
    }
  }
  std::size_t count = 0;
  block_map::cursor at = blocks.find(map.begin()->first, 0);
  for (const auto& [place, state] : map) {
    ASSERT_TRUE(at);
    ASSERT_EQ(blocks.place(at), place);
    ASSERT_EQ(blocks.state(at), state);
    ++count;
    at = blocks.next(at);
  }
  EXPECT_FALSE(at);
  EXPECT_EQ(count, map.size());
  EXPECT_GT(count, 1'000U);
}

TEST(BlockMap, FindsNothingBetweenBlocks) {
  block_map blocks;
  EXPECT_FALSE(blocks.find(0, 0));
  const std::uint32_t line = blocks.append(100, block_state::free).line;
  blocks.append(200, block_state::edge);
  EXPECT_TRUE(blocks.find(100, line));
  EXPECT_TRUE(blocks.find(100, 0)) << "without a hint";
  EXPECT_FALSE(blocks.find(150, line));
  EXPECT_FALSE(blocks.find(99, line));
  EXPECT_FALSE(blocks.find(std::uint64_t{1} << 50, line));
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
