// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/report/capacity_search.hpp>

#include <gmock/gmock.h>

#include <set>

namespace headroom {
namespace {

constexpr bytes step = 2_MiB;

struct tried {
  capacity_search found;
  std::set<std::int64_t> capacities;
};

tried search(const capacity_range& range, const std::function<bool(bytes)>& fits) {
  tried result;
  result.found = find_smallest_capacity(range, step, [&](bytes capacity) {
    EXPECT_EQ(capacity.n % step.n, 0) << "between two steps";
    EXPECT_LE(capacity, range.most);
    EXPECT_TRUE(result.capacities.insert(capacity.n).second) << "tried twice: " << capacity.n;
    return fits(capacity);
  });
  return result;
}

bool was_tried(const capacity_search& found, bytes capacity, bool fits) {
  const capacity_probe probe{capacity, fits};
  return std::find(found.probes.begin(), found.probes.end(), probe) != found.probes.end();
}

TEST(CapacitySearch, FindsTheBorderAndTriesBothSides) {
  for (const bytes border : {2_MiB, 4_MiB, 6_MiB, 100_MiB, 778_MiB, 1000_MiB, 1022_MiB, 5000_MiB}) {
    for (const bytes guess : {2_MiB, 500_MiB, 1000_MiB, 9000_MiB}) {
      const tried result = search({0_B, guess, 16_GiB}, [&](bytes c) { return c >= border; });
      EXPECT_EQ(result.found.smallest(), border);
      EXPECT_EQ(result.found.exception(), std::nullopt);
      EXPECT_TRUE(was_tried(result.found, border, true));
      EXPECT_TRUE(was_tried(result.found, border + step, true));
      if (border > step) {
        EXPECT_TRUE(was_tried(result.found, border - step, false));
      }
      EXPECT_LE(result.capacities.size(), 26U);
    }
  }
}

TEST(CapacitySearch, ProbesStandInOrder) {
  const tried result = search({100_MiB, 1000_MiB, 16_GiB}, [](bytes c) { return c >= 400_MiB; });
  EXPECT_TRUE(std::is_sorted(
      result.found.probes.begin(), result.found.probes.end(),
      [](const capacity_probe& a, const capacity_probe& b) { return a.capacity < b.capacity; }));
}

TEST(CapacitySearch, ABorderAtTheLowestPossibleIsStillTriedBelow) {
  const tried result = search({100_MiB, 100_MiB, 16_GiB}, [](bytes c) { return c >= 100_MiB; });
  EXPECT_EQ(result.found.smallest(), 100_MiB);
  EXPECT_TRUE(was_tried(result.found, 98_MiB, false));
}

TEST(CapacitySearch, AnIslandBesideTheBorderIsFoundAndReported) {
  const tried result = search({0_B, 1000_MiB, 16_GiB},
                              [](bytes c) { return c >= 400_MiB || c == 396_MiB || c == 392_MiB; });
  EXPECT_EQ(result.found.smallest(), 392_MiB);
  const std::optional<bytes> exception = result.found.exception();
  ASSERT_TRUE(exception);  // 394 or 398 MiB: where the bisection ended
  EXPECT_GT(*exception, 392_MiB);
  EXPECT_LT(*exception, 400_MiB);
}

TEST(CapacitySearch, AHoleAboveTheBorderIsReported) {
  const tried result =
      search({0_B, 1000_MiB, 16_GiB}, [](bytes c) { return c >= 400_MiB && c != 404_MiB; });
  EXPECT_EQ(result.found.smallest(), 400_MiB);
  EXPECT_EQ(result.found.exception(), 404_MiB);
}

TEST(CapacitySearch, NothingFits) {
  const tried result = search({0_B, 10_MiB, 1_GiB}, [](bytes) { return false; });
  EXPECT_EQ(result.found.smallest(), std::nullopt);
  EXPECT_EQ(result.found.exception(), std::nullopt);
  EXPECT_EQ(result.capacities.count((1_GiB).n), 1U);
}

TEST(CapacitySearch, MoreThanTheMostIsNotTried) {
  const tried result = search({2_GiB, 3_GiB, 1_GiB}, [](bytes) { return true; });
  EXPECT_EQ(result.found.smallest(), std::nullopt);
  EXPECT_TRUE(result.capacities.empty());
}

TEST(CapacitySearch, AGuessAboveTheMostIsLowered) {
  const tried result = search({0_B, 3_GiB, 1_GiB}, [](bytes c) { return c >= 512_MiB; });
  EXPECT_EQ(result.found.smallest(), 512_MiB);
}

}  // namespace
}  // namespace headroom
