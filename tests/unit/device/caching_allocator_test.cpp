// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The rules one by one, and what is told of a moment. All of them together: allocator_model_test
// and the parity test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <headroom/core/error.hpp>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/ticket_clock.hpp>
#include <string>
#include <vector>

namespace headroom {
namespace {

using namespace headroom::literals;
using ::testing::HasSubstr;

constexpr stream_id other_stream{7};

class CachingAllocator : public ::testing::Test {
 protected:
  explicit CachingAllocator(bytes capacity = 1_GiB, const char* settings = "")
      : source_(capacity, "plan:test"),
        allocator_(source_, clock_, parse_allocator_settings(settings)) {}

  allocation allocate(bytes size, stream_id stream = {}, tag what = tag::other) {
    return allocator_.allocate(size, stream, what);
  }
  [[nodiscard]] memory_counters counters() const { return allocator_.statistics().counters; }
  [[nodiscard]] block_place place(const allocation& of) const { return *allocator_.place_of(of); }

  address_segments source_;
  ticket_clock clock_;
  caching_allocator allocator_;
};

TEST_F(CachingAllocator, RoundsRequestsTo512Bytes) {
  EXPECT_EQ(allocate(1_B).size, 512_B);
  EXPECT_EQ(allocate(512_B).size, 512_B);
  EXPECT_EQ(allocate(513_B).size, 1024_B);
  EXPECT_EQ(counters().allocated.current, 2048_B);
  EXPECT_EQ(counters().requested.current, 1026_B);
}

TEST_F(CachingAllocator, TakesSegmentsByTheSizeOfTheRequest) {
  const auto grows_by = [this](bytes size) {
    const bytes before = counters().reserved.current;
    (void)allocate(size, {static_cast<std::uint32_t>(size.n % 1000)});  // a pool of its own
    return counters().reserved.current - before;
  };
  EXPECT_EQ(grows_by(1_B), 2_MiB);
  EXPECT_EQ(grows_by(1_MiB), 2_MiB);
  EXPECT_EQ(grows_by(1_MiB + 1_B), 20_MiB);
  EXPECT_EQ(grows_by(10_MiB - 512_B), 20_MiB);
  EXPECT_EQ(grows_by(10_MiB), 10_MiB);
  EXPECT_EQ(grows_by(10_MiB + 1_B), 12_MiB);
  EXPECT_EQ(grows_by(100_MiB), 100_MiB);
  EXPECT_EQ(allocator_.statistics().segments, 7);
}

TEST_F(CachingAllocator, SplitsALargeBlockOnlyWhenMoreThanOneMebibyteIsLeft) {
  EXPECT_EQ(allocate(11_MiB + 1_B).size, 12_MiB) << "less than 1 MiB left";
  EXPECT_EQ(allocate(11_MiB).size, 12_MiB) << "1 MiB left";
  EXPECT_EQ(allocate(11_MiB - 512_B).size, 11_MiB - 512_B) << "1 MiB + 512 B left";
}

TEST_F(CachingAllocator, SplitsASmallBlockWhenOneUnitIsLeft) {
  const allocation whole = allocate(1_MiB);
  const allocation rest = allocate(1_MiB);
  allocator_.deallocate(whole);
  EXPECT_EQ(allocate(1_MiB - 512_B).size, 1_MiB - 512_B);
  EXPECT_EQ(place(allocate(512_B)), (block_place{0, 1_MiB - 512_B}));
  EXPECT_EQ(place(rest), (block_place{0, 1_MiB}));
}

TEST_F(CachingAllocator, TakesTheSmallestThatFitsAndAmongEqualsTheOldest) {
  std::vector<allocation> all;
  for (const std::int64_t kibibytes : {8, 1, 4, 1, 16, 1, 4, 1}) {
    all.push_back(allocate(kibibytes * 1_KiB));
  }
  for (const std::size_t gone : {6U, 0U, 4U, 2U}) allocator_.deallocate(all[gone]);
  EXPECT_EQ(place(allocate(3_KiB)), place(all[2])) << "4 KiB, the lower one";
  EXPECT_EQ(place(allocate(4_KiB)), place(all[6]));
  EXPECT_EQ(place(allocate(5_KiB)), place(all[0]));
}

TEST_F(CachingAllocator, MergesFreeNeighbours) {
  std::vector<allocation> all;
  for (int i = 0; i < 5; ++i) all.push_back(allocate(100_KiB));
  allocator_.deallocate(all[1]);
  allocator_.deallocate(all[3]);
  allocator_.deallocate(all[2]);
  EXPECT_EQ(place(allocate(300_KiB)), (block_place{0, 100_KiB}));
}

TEST_F(CachingAllocator, KeepsPoolsOfStreamsApart) {
  allocator_.deallocate(allocate(1_MiB));
  EXPECT_EQ(place(allocate(1_MiB, other_stream)).segment, 1U);
  EXPECT_EQ(place(allocate(1_MiB)).segment, 0U);
  EXPECT_EQ(place(allocate(1_MiB, {3'000'000'000})).segment, 2U) << "any number of a stream";
}

TEST_F(CachingAllocator, GivesNothingForNothing) {
  const allocation none = allocate(0_B);
  EXPECT_EQ(none.address, nullptr);
  EXPECT_EQ(none.record, nullptr);
  EXPECT_FALSE(allocator_.place_of(none));
  allocator_.record_use(none, other_stream);
  allocator_.deallocate(none);
  EXPECT_EQ(counters(), memory_counters{});
}

TEST_F(CachingAllocator, RefusesNegativeSizes) {
  EXPECT_THROW((void)allocate(bytes{-1}), usage_error);
  EXPECT_EQ(counters(), memory_counters{});
}

TEST_F(CachingAllocator, RefusesAnExbibyteBeforeLookingAtAnything) {
  EXPECT_THROW((void)allocate(bytes{std::int64_t{1} << 60}), out_of_memory);
  EXPECT_THROW((void)allocate(bytes{INT64_MAX}), out_of_memory);
  EXPECT_EQ(allocator_.statistics().refusals, 0);
  EXPECT_THROW((void)allocate(bytes{(std::int64_t{1} << 60) - 1}), out_of_memory);
  EXPECT_EQ(allocator_.statistics().refusals, 1);
}

TEST_F(CachingAllocator, WaitsForOtherStreamsBeforeABlockIsReused) {
  const allocation shared = allocate(1_MiB);
  (void)allocate(1_MiB);
  allocator_.record_use(shared, other_stream);
  allocator_.record_use(shared, other_stream);
  allocator_.record_use(shared, {});  // its own stream: nothing to wait for
  allocator_.deallocate(shared);
  EXPECT_EQ(counters().allocated.current, 1_MiB);
  EXPECT_EQ(counters().requested.current, 2_MiB);
  EXPECT_NE(place(allocate(1_MiB)), (block_place{0, 0_B}));
  clock_.complete(other_stream);
  EXPECT_EQ(place(allocate(1_MiB)), (block_place{0, 0_B}));
}

TEST_F(CachingAllocator, EmptyCacheWaitsAndGivesWholeSegmentsBack) {
  const allocation shared = allocate(1_MiB);
  const allocation kept = allocate(1_MiB, other_stream);
  allocator_.record_use(shared, other_stream);
  allocator_.deallocate(shared);
  EXPECT_EQ(allocator_.empty_cache(), 2_MiB);
  EXPECT_EQ(counters().reserved.current, 2_MiB);
  EXPECT_EQ(allocator_.empty_cache(), 0_B);
  allocator_.deallocate(kept);
  EXPECT_EQ(allocator_.empty_cache(), 2_MiB);
  EXPECT_EQ(counters().reserved, (counter{0_B, 4_MiB}));
}

TEST_F(CachingAllocator, IgnoresABlockGivenBackTwiceAndSaysSo) {
  const allocation once = allocate(1_KiB);
  (void)allocate(1_KiB);
  allocator_.deallocate(once);
  const memory_counters before = counters();
  ::testing::internal::CaptureStderr();
  allocator_.deallocate(once);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("given back that is not live"));
  EXPECT_EQ(counters(), before);
  EXPECT_THROW(allocator_.record_use(once, other_stream), usage_error);
}

TEST_F(CachingAllocator, DescribesItselfAndItsCounters) {
  EXPECT_EQ(allocator_.describe().name, "headroom caching allocator");
  EXPECT_TRUE(allocator_.describe().settings.empty());
  const source_description all = allocator_.describe_counters();
  for (const counter_id id : all_counters) {
    EXPECT_TRUE(all[id].available && all[id].exact);
    EXPECT_FALSE(all[id].covers.empty());
  }
}

TEST_F(CachingAllocator, ReadsEverything) {
  const allocation block = allocate(1000_B, {}, tag::weights);
  allocator_.deallocate(block);
  const source_reading reading = allocator_.read();
  EXPECT_EQ(reading[counter_id::allocated_current], 0_B);
  EXPECT_EQ(reading[counter_id::allocated_peak], 1024_B);
  EXPECT_EQ(reading[counter_id::reserved_current], 2_MiB);
  EXPECT_EQ(reading[counter_id::reserved_peak], 2_MiB);
  EXPECT_EQ(reading.requested_current, 0_B);
  EXPECT_EQ(reading.requested_peak, 1000_B);
  EXPECT_EQ(reading.retries, 0);
  EXPECT_EQ(reading.refusals, 0);
  EXPECT_EQ(reading.allocations, 1);
  ASSERT_TRUE(reading.at_allocated_peak);
  EXPECT_EQ((*reading.at_allocated_peak->by_tag)[tag::weights], 1024_B);
}

/// Hands out lower addresses each time: the allocator must not order by them.
class descending_segments final : public segment_source {
 public:
  void* take(bytes size) override {
    next_ -= static_cast<std::uintptr_t>(size.n);
    return reinterpret_cast<void*>(next_);
  }
  void give_back(void*, bytes) noexcept override {}
  [[nodiscard]] bytes capacity() const override { return 1_GiB; }
  [[nodiscard]] std::optional<bytes> free_now() const override { return std::nullopt; }
  [[nodiscard]] std::string device_id() const override { return "descending"; }

 private:
  std::uintptr_t next_ = std::uintptr_t{1} << 50;
};

TEST(CachingAllocatorSources, OrderEqualBlocksByAgeWhateverTheAddresses) {
  descending_segments source;
  ticket_clock clock;
  caching_allocator allocator(source, clock);
  const allocation old = allocator.allocate(1_MiB, {}, tag::other);
  const allocation fill = allocator.allocate(1_MiB, {}, tag::other);
  const allocation young = allocator.allocate(1_MiB, {}, tag::other);
  (void)allocator.allocate(1_MiB, {}, tag::other);
  ASSERT_LT(young.address, old.address);
  allocator.deallocate(young);
  allocator.deallocate(old);
  EXPECT_EQ(allocator.allocate(1_MiB, {}, tag::other).address, old.address);
  EXPECT_EQ(allocator.allocate(1_MiB, {}, tag::other).address, young.address);
  (void)fill;
}

TEST(CachingAllocatorSources, RefuseSettingsThatTheSourceCannotServe) {
  descending_segments source;
  ticket_clock clock;
  try {
    const caching_allocator allocator(source, clock,
                                      parse_allocator_settings("expandable_segments:True"));
    FAIL() << "was made";
  } catch (const usage_error& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("descending has no address ranges"));
  }
}

TEST(CachingAllocatorSources, GetEverythingBackAtTheEnd) {
  for (const char* settings : {"", "expandable_segments:True"}) {
    address_segments source(1_GiB, "plan:test");
    ticket_clock clock;
    {
      caching_allocator allocator(source, clock, parse_allocator_settings(settings));
      (void)allocator.allocate(1_KiB, {}, tag::other);
      allocator.deallocate(allocator.allocate(50_MiB, {}, tag::other));
      (void)allocator.allocate(3_MiB, {}, tag::other);
      EXPECT_LT(*source.free_now(), 1_GiB);
    }
    EXPECT_EQ(source.free_now(), 1_GiB) << settings;
  }
}

class OutOfMemory : public CachingAllocator {
 protected:
  OutOfMemory() : CachingAllocator(64_MiB) {}
};

TEST_F(OutOfMemory, CarriesTheFactsOfTheMoment) {
  const allocation kept = allocate(30_MiB, {}, tag::weights);
  allocator_.deallocate(allocate(20_MiB));
  const memory_counters before = counters();
  try {
    (void)allocate(50_MiB + 1_B, {}, tag::activations);
    FAIL() << "was handed out";
  } catch (const out_of_memory& refusal) {
    const out_of_memory_facts& facts = refusal.facts();
    EXPECT_EQ(facts.requested, 50_MiB + 1_B);
    EXPECT_EQ(facts.rounded, 50_MiB + 512_B);
    EXPECT_EQ(facts.what, tag::activations);
    EXPECT_EQ(facts.counters, counters());
    EXPECT_EQ(facts.capacity, 64_MiB);
    EXPECT_EQ(facts.system_free, 34_MiB);
    EXPECT_EQ(facts.device, "plan:test");
    EXPECT_THAT(refusal.what(), HasSubstr("plan:test"));
  }
  EXPECT_EQ(counters().allocated, before.allocated);
  EXPECT_EQ(counters().requested, before.requested);
  EXPECT_EQ(counters().reserved, (counter{30_MiB, 50_MiB})) << "the cache was given back";
  EXPECT_EQ(allocator_.statistics().retries, 1);
  EXPECT_EQ(allocator_.statistics().refusals, 1);
  allocator_.deallocate(kept);
  EXPECT_EQ(allocate(50_MiB).size, 50_MiB) << "it goes on working";
}

class MemoryFraction : public CachingAllocator {
 protected:
  MemoryFraction() : CachingAllocator(1_GiB, "per_process_memory_fraction:0.0625") {}
};
TEST_F(MemoryFraction, IsTheCapacityThatARefusalNames) {
  try {
    (void)allocate(65_MiB);
    FAIL() << "was handed out";
  } catch (const out_of_memory& refusal) {
    EXPECT_EQ(refusal.facts().capacity, 64_MiB);
    EXPECT_EQ(refusal.facts().system_free, 1_GiB);
  }
  EXPECT_EQ(allocate(64_MiB).size, 64_MiB);
}

class WholeFraction : public CachingAllocator {
 protected:
  WholeFraction()
      : CachingAllocator(64_MiB, "per_process_memory_fraction:1,garbage_collection_threshold:0.1") {
  }
};
TEST_F(WholeFraction, IsNoFractionAndCollectsNothing) {
  allocator_.deallocate(allocate(20_MiB));
  (void)allocate(30_MiB);
  EXPECT_EQ(counters().reserved.current, 50_MiB);
}

class Expandable : public CachingAllocator {
 protected:
  Expandable() : CachingAllocator(51'662'739_B, "expandable_segments:True") {}
};
TEST_F(Expandable, UsesUpANumberForARangeThatWouldBeTooSmall) {
  EXPECT_THROW((void)allocate(62_MiB), out_of_memory);  // a range has 60 MiB here; tried twice
  EXPECT_EQ(place(allocate(20_MiB)).segment, 2U);
}
TEST_F(Expandable, GrowsInPlaceAndCountsNoSegments) {
  const allocation first = allocate(15_MiB);
  const allocation second = allocate(15_MiB);
  EXPECT_EQ(place(first), (block_place{0, 0_B}));
  EXPECT_EQ(place(second), (block_place{0, 15_MiB}));
  EXPECT_EQ(counters().reserved.current, 40_MiB);
  EXPECT_EQ(allocator_.statistics().segments, 0);
}

class PeakMoment : public CachingAllocator {
 protected:
  [[nodiscard]] peak_moment moment() const { return allocator_.statistics().at_allocated_peak; }
};

TEST_F(PeakMoment, TellsWhatWasHeldAtThePeak) {
  const allocation weights = allocate(4_MiB, {}, tag::weights);
  const allocation hidden = allocate(2_MiB, {}, tag::activations);
  EXPECT_EQ(moment().allocated, 6_MiB);
  EXPECT_EQ((*moment().by_tag)[tag::activations], 2_MiB) << "while the peak is now";
  allocator_.deallocate(hidden);
  allocator_.deallocate(weights);
  (void)allocate(3_MiB, {}, tag::gradients);
  EXPECT_EQ(moment().allocated, 6_MiB);
  EXPECT_EQ((*moment().by_tag)[tag::weights], 4_MiB);
  EXPECT_EQ((*moment().by_tag)[tag::activations], 2_MiB);
  EXPECT_EQ((*moment().by_tag)[tag::gradients], 0_B);
  EXPECT_EQ(moment().by_tag->total(), 6_MiB);
}

TEST_F(PeakMoment, ReservedIsOfThatMomentToo) {
  allocator_.deallocate(allocate(30_MiB, other_stream));
  const allocation block = allocate(40_MiB);
  EXPECT_EQ(moment().reserved, 70_MiB);
  allocator_.empty_cache();
  EXPECT_EQ(moment().reserved, 70_MiB) << "when it was reached, not when it is left";
  allocator_.deallocate(block);
  EXPECT_EQ(moment().reserved, 70_MiB);
}

TEST_F(PeakMoment, TheFirstOfEqualPeaksStays) {
  allocator_.deallocate(allocate(4_MiB, {}, tag::weights));
  (void)allocate(4_MiB, {}, tag::gradients);
  EXPECT_EQ((*moment().by_tag)[tag::weights], 4_MiB);
  EXPECT_EQ((*moment().by_tag)[tag::gradients], 0_B);
}

TEST_F(PeakMoment, StartsAgainAtAReset) {
  const allocation weights = allocate(4_MiB, {}, tag::weights);
  allocator_.deallocate(allocate(8_MiB, {}, tag::activations));
  allocator_.reset_peaks();
  EXPECT_EQ(counters().allocated, (counter{4_MiB, 4_MiB}));
  EXPECT_EQ(counters().reserved.peak, counters().reserved.current);
  EXPECT_EQ(counters().requested, (counter{4_MiB, 4_MiB}));
  EXPECT_EQ(moment().by_tag->total(), 4_MiB);
  allocator_.deallocate(weights);
  EXPECT_EQ((*moment().by_tag)[tag::weights], 4_MiB);
}

}  // namespace
}  // namespace headroom
