// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <unordered_map>
#include <vector>

#include "device/caching/ring.hpp"
#include "device/flat_map.hpp"

namespace headroom::caching {
namespace {

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
