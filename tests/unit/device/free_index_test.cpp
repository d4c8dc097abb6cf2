// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "device/caching/bin_table.hpp"
#include "device/caching/free_index.hpp"
#include "device/caching/ordered_trees.hpp"

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

}  // namespace
}  // namespace headroom::caching
