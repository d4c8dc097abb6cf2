// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <headroom/core/error.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plain_allocator.hpp>
#include <headroom/device/plan_device.hpp>
#include <string>
#include <vector>

namespace headroom {
namespace {

using namespace headroom::literals;

allocator_choice plain() { return parse_allocator_choice("plain"); }

bytes read(device& on, counter_id id) { return on.counters().read()[id].value(); }

TEST(PlainAllocator, CountsWhatWasAskedForAndNothingElse) {
  plan_device on("1GiB", plain());
  EXPECT_EQ(on.caching(), nullptr);
  buffer first(on, bytes{1000}, tag::weights);
  const buffer second(on, bytes{7}, tag::inputs);
  EXPECT_EQ(first.block().size, bytes{1000});
  EXPECT_EQ(read(on, counter_id::allocated_current), bytes{1007});
  EXPECT_EQ(read(on, counter_id::reserved_current), bytes{1007});
  first.reset();
  EXPECT_EQ(read(on, counter_id::reserved_current), bytes{7}) << "nothing is cached";
  EXPECT_EQ(read(on, counter_id::reserved_peak), bytes{1007});
  EXPECT_EQ(on.allocator().empty_cache(), 0_B);
  const source_reading now = on.counters().read();
  ASSERT_TRUE(now.at_allocated_peak && now.at_allocated_peak->by_tag);
  EXPECT_EQ((*now.at_allocated_peak->by_tag)[tag::weights], bytes{1000});
  EXPECT_EQ(now.requested_current, bytes{7});
}

TEST(PlainAllocator, RefusesBeyondTheCapacityAtOnce) {
  plan_device on("1MiB", plain());
  const buffer first(on, 1_MiB - 1_B, tag::other);
  try {
    const buffer second(on, 2_B, tag::workspace);
    FAIL() << "was allocated";
  } catch (const out_of_memory& refused) {
    EXPECT_EQ(refused.facts().requested, 2_B);
    EXPECT_EQ(refused.facts().counters.allocated.current, 1_MiB - 1_B);
    EXPECT_EQ(refused.facts().system_free, 1_B);
  }
  const buffer third(on, 1_B, tag::other);
  EXPECT_EQ(on.counters().read().retries, 0);
  EXPECT_EQ(on.counters().read().refusals, 1);
}

TEST(PlainAllocator, GivesMemoryThatHoldsWhatWasWritten) {
  cpu_device on(plain(), 64_MiB);
  const buffer first(on, bytes{5000}, tag::other);
  const buffer second(on, bytes{5000}, tag::other);
  std::memset(first.address(), 1, 5000);
  std::memset(second.address(), 2, 5000);
  EXPECT_EQ(static_cast<char*>(first.address())[4999], 1);
}

TEST(PlainAllocator, ANegativeRequestIsAMistake) {
  plan_device on("1GiB", plain());
  EXPECT_THROW((void)on.allocator().allocate(bytes{-1}, {}, tag::other), usage_error);
  EXPECT_EQ(on.allocator().allocate(0_B, {}, tag::other).address, nullptr);
}

TEST(PlainAllocator, IgnoresABlockThatIsNotLive) {
  plan_device on("1GiB", plain());
  const allocation block = on.allocator().allocate(1_MiB, {}, tag::other);
  on.allocator().deallocate(block);
  testing::internal::CaptureStderr();
  on.allocator().deallocate(block);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("not live"));
  EXPECT_EQ(read(on, counter_id::allocated_current), 0_B);
  EXPECT_THROW(on.allocator().record_use(block, {}), usage_error);
}

/// A clock that tells which streams were waited for.
class watched_clock final : public stream_clock {
 public:
  stream_point record(stream_id stream) override { return {stream, 1}; }
  bool passed(const stream_point&) override { return false; }
  void wait(const stream_point& point) override { waited.push_back(point.stream); }
  std::vector<stream_id> waited;
};

class counting_segments final : public segment_source {
 public:
  void* take(bytes) override { return &memory_; }
  void give_back(void*, bytes) noexcept override { ++given_back; }
  [[nodiscard]] bytes capacity() const override { return 1_GiB; }
  [[nodiscard]] std::optional<bytes> free_now() const override { return {}; }
  [[nodiscard]] std::string device_id() const override { return "test"; }
  int given_back = 0;

 private:
  char memory_ = 0;
};

TEST(PlainAllocator, WaitsForEveryStreamThatUsesABlock) {
  counting_segments segments;
  watched_clock clock;
  plain_allocator allocator(segments, clock);
  const allocation block = allocator.allocate(1_MiB, stream_id{3}, tag::other);
  allocator.record_use(block, stream_id{5});
  allocator.record_use(block, stream_id{5});
  allocator.record_use(block, stream_id{3});
  EXPECT_TRUE(clock.waited.empty());
  allocator.deallocate(block);
  EXPECT_THAT(clock.waited, testing::ElementsAre(stream_id{3}, stream_id{5}));
  EXPECT_EQ(segments.given_back, 1);
}

TEST(PlainAllocator, GivesLiveBlocksBackAtItsEnd) {
  counting_segments segments;
  watched_clock clock;
  {
    plain_allocator allocator(segments, clock);
    (void)allocator.allocate(1_MiB, {}, tag::other);
  }
  EXPECT_EQ(segments.given_back, 1);
}

TEST(AllocatorChoice, IsReadFromText) {
  EXPECT_EQ(parse_allocator_choice("").kind, allocator_kind::caching);
  EXPECT_EQ(parse_allocator_choice("caching"), allocator_choice{});
  EXPECT_EQ(parse_allocator_choice("cuda-async").kind, allocator_kind::cuda_async);
  EXPECT_EQ(parse_allocator_choice("max_split_size_mb:128").settings.max_split_size, 128_MiB);
  for (const char* text : {"native", "Plain", "cuda_async", "plain "}) {
    try {
      (void)parse_allocator_choice(text);
      ADD_FAILURE() << text << " is accepted";
    } catch (const usage_error& wrong) {
      EXPECT_THAT(wrong.what(), testing::HasSubstr("write caching, plain or cuda-async"));
    }
  }
}

TEST(AllocatorChoice, ThePoolOfTheDriverNeedsACudaDevice) {
  try {
    plan_device on("1GiB", parse_allocator_choice("cuda-async"));
    FAIL() << "was opened";
  } catch (const usage_error& wrong) {
    EXPECT_THAT(wrong.what(), testing::HasSubstr("plan:1GiB has no stream-ordered pool"));
  }
}

}  // namespace
}  // namespace headroom
