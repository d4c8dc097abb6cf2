// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <headroom/device/ticket_clock.hpp>

namespace headroom {
namespace {

constexpr stream_id a{0};
constexpr stream_id b{1};
constexpr stream_id far{4'000'000'000};

TEST(TicketClock, PassesNothingOnItsOwn) {
  ticket_clock clock;
  const stream_point first = clock.record(a);
  const stream_point second = clock.record(a);
  EXPECT_EQ(first.number + 1, second.number);
  EXPECT_FALSE(clock.passed(first));
  EXPECT_FALSE(clock.passed(second));
}

TEST(TicketClock, WaitingPassesThePointAndThoseBeforeIt) {
  ticket_clock clock;
  const stream_point first = clock.record(a);
  const stream_point second = clock.record(a);
  const stream_point third = clock.record(a);
  clock.wait(second);
  EXPECT_TRUE(clock.passed(first));
  EXPECT_TRUE(clock.passed(second));
  EXPECT_FALSE(clock.passed(third));
  clock.wait(first);  // already passed: nothing is taken back
  EXPECT_TRUE(clock.passed(second));
}

TEST(TicketClock, StreamsPassApart) {
  ticket_clock clock;
  const stream_point here = clock.record(a);
  const stream_point there = clock.record(b);
  const stream_point elsewhere = clock.record(far);
  clock.complete(b);
  EXPECT_FALSE(clock.passed(here));
  EXPECT_TRUE(clock.passed(there));
  EXPECT_FALSE(clock.passed(elsewhere));
  clock.complete_all();
  EXPECT_TRUE(clock.passed(here));
  EXPECT_TRUE(clock.passed(elsewhere));
}

TEST(TicketClock, StreamsOfOneBucketAreToldApart) {
  ticket_clock clock;
  const stream_point low = clock.record({3});
  const stream_point high = clock.record({3 + 64});
  clock.complete({3 + 64});
  EXPECT_FALSE(clock.passed(low));
  EXPECT_TRUE(clock.passed(high));
}

TEST(TicketClock, CompletingPassesOnlyWhatIsQueued) {
  ticket_clock clock;
  clock.complete(a);
  EXPECT_FALSE(clock.passed(clock.record(a)));
}

TEST(TicketClock, AStreamThatWaitedForAnotherTakesItAlong) {
  ticket_clock clock;
  const stream_point before = clock.record(b);
  const stream_point early = clock.record(a);
  clock.order_after(a, b);
  const stream_point late_on_b = clock.record(b);
  const stream_point late = clock.record(a);
  clock.wait(early);  // queued before the order: b is not taken along
  EXPECT_FALSE(clock.passed(before));
  clock.wait(late);
  EXPECT_TRUE(clock.passed(before));
  EXPECT_FALSE(clock.passed(late_on_b));
}

TEST(TicketClock, CompletingAStreamHonoursItsOrders) {
  ticket_clock clock;
  const stream_point before = clock.record(b);
  clock.order_after(a, b);
  clock.complete(a);
  EXPECT_TRUE(clock.passed(before));
}

TEST(TicketClock, OrdersChain) {
  ticket_clock clock;
  const stream_point first = clock.record(a);
  clock.order_after(b, a);
  clock.order_after(far, b);
  clock.order_after(a, far);  // a circle in streams, not in time
  clock.wait(clock.record(far));
  EXPECT_TRUE(clock.passed(first));
}

TEST(TicketClock, WaitingForOneselfIsNothing) {
  ticket_clock clock;
  const stream_point point = clock.record(a);
  clock.order_after(a, a);
  EXPECT_FALSE(clock.passed(point));
}

}  // namespace
}  // namespace headroom
