// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/report/boundary_search.hpp>

#include <gtest/gtest.h>

#include <set>

namespace headroom {
namespace {

TEST(BoundarySearch, FindsEveryBorder) {
  for (std::int64_t border = 1; border < 300; ++border) {
    std::set<std::int64_t> tried;
    const boundary_search found = find_boundary(1, 300, [&](std::int64_t value) {
      EXPECT_TRUE(tried.insert(value).second) << value << " was tried twice";
      EXPECT_TRUE(value >= 1 && value <= 300);
      return value <= border;
    });
    ASSERT_EQ(found.largest_that_fits(), border);
    ASSERT_EQ(found.smallest_that_fails(), border + 1);
    EXPECT_TRUE(found.monotonic());
    EXPECT_LE(found.probes.size(), 30U);
  }
}

TEST(BoundarySearch, WhereAllOrNoneFitThereIsNoBorder) {
  const boundary_search all = find_boundary(1, 100, [](std::int64_t) { return true; });
  EXPECT_EQ(all.largest_that_fits(), 100);
  EXPECT_EQ(all.smallest_that_fails(), std::nullopt);
  EXPECT_TRUE(all.monotonic());
  const boundary_search none = find_boundary(1, 100, [](std::int64_t) { return false; });
  EXPECT_EQ(none.largest_that_fits(), std::nullopt);
  EXPECT_EQ(none.smallest_that_fails(), 1);
  EXPECT_TRUE(none.monotonic());
}

TEST(BoundarySearch, AHoleBesideTheBorderIsSeen) {
  const boundary_search found =
      find_boundary(1, 1000, [](std::int64_t value) { return value <= 500 && value != 499; });
  EXPECT_FALSE(found.monotonic());
  EXPECT_EQ(found.largest_that_fits(), 500);
  EXPECT_EQ(found.smallest_that_fails(), 499);
}

TEST(BoundarySearch, EndsTheOtherWayRoundAreSaid) {
  const boundary_search found = find_boundary(1, 64, [](std::int64_t value) { return value > 20; });
  EXPECT_FALSE(found.monotonic());
  EXPECT_EQ(found.smallest_that_fails(), 1);
  EXPECT_EQ(found.largest_that_fits(), 64);
}

TEST(BoundarySearch, TwoNeighboursAreEnough) {
  const boundary_search found = find_boundary(7, 8, [](std::int64_t value) { return value < 8; });
  EXPECT_EQ(found.probes.size(), 2U);
  EXPECT_EQ(found.largest_that_fits(), 7);
}

}  // namespace
}  // namespace headroom
