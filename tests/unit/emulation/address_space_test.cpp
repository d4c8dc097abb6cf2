// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "emulation/card/address_space.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace headroom::emulation {
namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

TEST(AddressSpace, AddressesAscendAndKeepAGranuleBetweenThem) {
  address_space space;
  const address first = space.reserve(1);
  const address second = space.reserve(granularity);
  EXPECT_EQ(first % granularity, 0u);
  EXPECT_EQ(second, first + 2 * granularity);
  space.release(first, 1);
  EXPECT_GT(space.reserve(1), second) << "not given twice";
  EXPECT_TRUE(space.contains(second));
  int on_the_stack = 0;
  EXPECT_FALSE(space.contains(reinterpret_cast<address>(&on_the_stack)));
}

TEST(AddressSpace, HeedsAlignment) {
  address_space space;
  static_cast<void>(space.reserve(1));
  EXPECT_EQ(space.reserve(1, gib) % gib, 0u);
}

TEST(AddressSpace, UsesAddressesAgainWhenThereAreNoOthers) {
  address_space space;
  std::vector<address> taken;
  for (address at = space.reserve(64 * gib); at != 0; at = space.reserve(64 * gib)) {
    taken.push_back(at);
  }
  ASSERT_GE(taken.size(), 4u);
  space.release(taken[1], 64 * gib);
  space.release(taken[2], 64 * gib);
  EXPECT_EQ(space.reserve(128 * gib), taken[1]) << "neighbours join";
  EXPECT_EQ(space.reserve(64 * gib), 0u);
}

TEST(AddressSpace, MemoryBehindARangeIsDroppedWithIt) {
  address_space space;
  const address at = space.reserve(granularity);
  ASSERT_TRUE(space.back(at, granularity));
  auto* const memory = reinterpret_cast<char*>(at);
  std::memset(memory, 1, granularity);
  space.clear(at, granularity);
  ASSERT_TRUE(space.back(at, granularity));
  EXPECT_EQ(memory[5], 0);
}

TEST(AddressSpace, SharedMemoryIsTheSameBehindTwoRanges) {
  address_space space;
  const std::uint64_t place = space.shared_place(granularity);
  const address one = space.reserve(granularity);
  const address two = space.reserve(granularity);
  ASSERT_TRUE(space.back_shared(one, granularity, place));
  ASSERT_TRUE(space.back_shared(two, granularity, place));
  *reinterpret_cast<int*>(one) = 7;
  EXPECT_EQ(*reinterpret_cast<int*>(two), 7);
}

}  // namespace
}  // namespace headroom::emulation
