// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/series/peak_scopes.hpp>
#include <thread>

#include "conformance/source_under_test.hpp"

namespace headroom::conformance {
namespace {

using namespace headroom::literals;
using enum counter_id;

class CounterSource : public testing::TestWithParam<named_source> {
 protected:
  void SetUp() override {
    if (!GetParam().missing.empty()) GTEST_SKIP() << GetParam().missing;
    under_test_ = GetParam().make();
  }
  [[nodiscard]] counter_source& source() { return under_test_->source(); }
  [[nodiscard]] bool has(counter_id id) { return source().describe_counters()[id].available; }
  [[nodiscard]] bool exact(counter_id id) { return source().describe_counters()[id].exact; }

  [[nodiscard]] source_reading read() {
    under_test_->settle();
    return source().read();
  }
  [[nodiscard]] void* allocate(bytes size) { return under_test_->allocate(size); }
  void give_back(void* address, bytes size) {
    under_test_->give_back(address, size);
    under_test_->settle();
  }

  /// Of a peak: the level where the source says that it is exact, else a bound above it.
  void expect_peak(const source_reading& now, counter_id id, bytes level) {
    ASSERT_TRUE(now[id]);
    if (exact(id)) {
      EXPECT_EQ(*now[id], level) << name_of(id);
    } else {
      EXPECT_GE(*now[id], level) << name_of(id);
    }
  }

  static void expect_sound(const source_reading& now) {
    for (const counter_id id : all_counters) {
      if (!now[id]) continue;
      EXPECT_GE(*now[id], 0_B) << name_of(id);
      EXPECT_LT(*now[id], bytes{std::int64_t{1} << 60}) << name_of(id) << ": all bits set?";
    }
    const auto not_above = [&now](const std::optional<bytes>& low, counter_id high) {
      if (!low || !now[high]) return;
      EXPECT_LE(*low, *now[high]) << name_of(high);
    };
    not_above(now[allocated_current], allocated_peak);
    not_above(now[reserved_current], reserved_peak);
    not_above(now[allocated_current], reserved_current);
    not_above(now[allocated_peak], reserved_peak);
    not_above(now.requested_current, allocated_current);
    not_above(now.requested_peak, allocated_peak);
    if (!now.at_allocated_peak) return;
    EXPECT_EQ(now.at_allocated_peak->allocated, now[allocated_peak]);
    if (now.at_allocated_peak->reserved) {
      EXPECT_GE(*now.at_allocated_peak->reserved, now.at_allocated_peak->allocated);
      not_above(now.at_allocated_peak->reserved, reserved_peak);
    }
    if (now.at_allocated_peak->by_tag) {
      EXPECT_EQ(now.at_allocated_peak->by_tag->total(), now.at_allocated_peak->allocated);
    }
  }

  std::unique_ptr<source_under_test> under_test_;
};

INSTANTIATE_TEST_SUITE_P(Every, CounterSource, testing::ValuesIn(sources()),
                         [](const auto& each) { return each.param.name; });

TEST_P(CounterSource, SaysOfEachCounterWhatItCovers) {
  const source_description what = source().describe_counters();
  EXPECT_NE(what.name, "");
  for (const counter_id id : all_counters) {
    EXPECT_NE(what[id].covers, "") << name_of(id);
    EXPECT_TRUE(what[id].available || !what[id].exact) << name_of(id) << " is missing and exact";
  }
  EXPECT_TRUE(has(allocated_current)) << "the meter cannot prove itself";
}

TEST_P(CounterSource, ReadsWhatItSaysItHasAndNothingElse) {
  void* const block = allocate(3_MiB);
  const source_reading now = read();
  for (const counter_id id : all_counters) EXPECT_EQ(now[id].has_value(), has(id)) << name_of(id);
  expect_sound(now);
  give_back(block, 3_MiB);
  expect_sound(read());
}

TEST_P(CounterSource, ShowsAnAllocationAndItsReturn) {
  const source_reading before = read();
  void* const first = allocate(3_MiB);
  const source_reading one = read();
  EXPECT_GE(*one[allocated_current], *before[allocated_current] + 3_MiB);
  EXPECT_LT(*one[allocated_current], *before[allocated_current] + 6_MiB) << "counted twice?";
  void* const second = allocate(5_MiB);
  EXPECT_GE(*read()[allocated_current], *one[allocated_current] + 5_MiB);
  give_back(second, 5_MiB);
  EXPECT_EQ(read()[allocated_current], one[allocated_current]);
  give_back(first, 3_MiB);
  EXPECT_EQ(read()[allocated_current], before[allocated_current]);
}

TEST_P(CounterSource, KeepsThePeakUntilItIsReset) {
  source().reset_peaks();
  const source_reading empty = read();
  void* const block = allocate(6_MiB);
  const source_reading full = read();
  give_back(block, 6_MiB);
  const source_reading after = read();
  expect_sound(after);
  if (has(allocated_peak)) expect_peak(after, allocated_peak, *full[allocated_current]);
  if (has(reserved_peak) && has(reserved_current)) {
    expect_peak(after, reserved_peak, *full[reserved_current]);
  }
  source().reset_peaks();
  const source_reading reset = read();
  EXPECT_EQ(reset[allocated_current], empty[allocated_current]);
  if (has(allocated_peak)) expect_peak(reset, allocated_peak, *empty[allocated_current]);
  if (has(reserved_peak) && has(reserved_current)) {
    expect_peak(reset, reserved_peak, *reset[reserved_current]);
  }
}

TEST_P(CounterSource, ResetWithLiveMemoryStartsAtWhatIsLive) {
  void* const large = allocate(8_MiB);
  void* const live = allocate(4_MiB);
  give_back(large, 8_MiB);
  source().reset_peaks();
  const source_reading reset = read();
  expect_sound(reset);  // no peak is below what is live
  if (has(allocated_peak)) expect_peak(reset, allocated_peak, *reset[allocated_current]);
  void* const small = allocate(2_MiB);
  const source_reading more = read();
  give_back(small, 2_MiB);
  if (has(allocated_peak)) expect_peak(read(), allocated_peak, *more[allocated_current]);
  expect_sound(read());
  give_back(live, 4_MiB);
  const source_reading end = read();
  expect_sound(end);
  if (has(allocated_peak)) expect_peak(end, allocated_peak, *more[allocated_current]);
}

TEST_P(CounterSource, ResetTwiceIsAsOnce) {
  void* const block = allocate(4_MiB);
  source().reset_peaks();
  source().reset_peaks();
  const source_reading now = read();
  expect_sound(now);
  if (has(allocated_peak)) expect_peak(now, allocated_peak, *now[allocated_current]);
  give_back(block, 4_MiB);
}

TEST_P(CounterSource, AnInnerScopeLosesNothingOfTheOuterOne) {
  if (!has(allocated_peak)) GTEST_SKIP() << "the source has no allocated peak";
  peak_scopes scopes(source());
  under_test_->settle();
  (void)scopes.open();
  void* const high = allocate(8_MiB);
  const bytes outer_peak = *read()[allocated_current];
  give_back(high, 8_MiB);
  (void)scopes.open();
  void* const low = allocate(2_MiB);
  const bytes inner_peak = *read()[allocated_current];
  give_back(low, 2_MiB);
  const source_reading inner = scopes.close();
  const source_reading outer = scopes.close();
  expect_peak(inner, allocated_peak, inner_peak);
  expect_peak(outer, allocated_peak, outer_peak);
  if (!has(reserved_peak)) return;
  EXPECT_GE(*outer[reserved_peak], *inner[reserved_peak]);
}

TEST_P(CounterSource, CountsWhatThreadsDo) {
  if (!under_test_->has_threads()) GTEST_SKIP() << "one thread only";
  constexpr int thread_count = 4;
  constexpr int rounds = 50;
  static constexpr bytes each = 64_KiB;
  const source_reading before = read();
  source().reset_peaks();
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count; ++t) {
    threads.emplace_back([this] {
      std::vector<void*> held;
      for (int i = 0; i < rounds; ++i) {
        held.push_back(allocate(each));
        if (i % 2 == 1) {
          under_test_->give_back(held.front(), each);
          held.erase(held.begin());
        }
        const source_reading now = source().read();  // one moment, though others go on
        EXPECT_LE(*now[allocated_current], thread_count * rounds * each + 256_MiB);
      }
      for (void* block : held) under_test_->give_back(block, each);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const source_reading after = read();
  expect_sound(after);
  EXPECT_EQ(after[allocated_current], before[allocated_current]);
  if (has(allocated_peak)) {
    EXPECT_GE(*after[allocated_peak], *before[allocated_current] + rounds / 2 * each);
  }
}

TEST_P(CounterSource, CountsARefusal) {
  const source_reading before = read();
  EXPECT_ANY_THROW((void)allocate(bytes{std::int64_t{1} << 50}));
  const source_reading after = read();
  EXPECT_EQ(after[allocated_current], before[allocated_current]);
  if (before.refusals) {
    ASSERT_TRUE(after.refusals);
    EXPECT_EQ(*after.refusals, *before.refusals + 1);
  }
  expect_sound(after);
}

}  // namespace
}  // namespace headroom::conformance
