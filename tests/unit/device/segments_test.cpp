// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// What every source of segments without a driver must do.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <headroom/core/error.hpp>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/host_segments.hpp>
#include <memory>

namespace headroom {
namespace {

using namespace headroom::literals;

template <typename Source>
class Segments : public ::testing::Test {
 protected:
  static std::uintptr_t number(void* address) { return reinterpret_cast<std::uintptr_t>(address); }
  Source source_{40_MiB, "here"};
};
using sources = ::testing::Types<address_segments, host_segments>;
TYPED_TEST_SUITE(Segments, sources);

TYPED_TEST(Segments, CountAgainstTheCapacity) {
  auto& source = this->source_;
  EXPECT_EQ(source.capacity(), 40_MiB);
  EXPECT_EQ(source.free_now(), 40_MiB);
  EXPECT_EQ(source.device_id(), "here");
  void* const first = source.take(20_MiB);
  void* const second = source.take(18_MiB);
  ASSERT_TRUE(first != nullptr && second != nullptr && first != second);
  EXPECT_EQ(source.free_now(), 2_MiB);
  EXPECT_EQ(source.take(4_MiB), nullptr);
  EXPECT_EQ(source.free_now(), 2_MiB) << "a refusal takes nothing";
  void* const last = source.take(2_MiB);  // the limit is inclusive
  EXPECT_NE(last, nullptr);
  EXPECT_EQ(source.take(2_MiB), nullptr);
  source.give_back(first, 20_MiB);
  EXPECT_EQ(source.free_now(), 20_MiB);
  source.give_back(second, 18_MiB);
  source.give_back(last, 2_MiB);
  EXPECT_EQ(source.free_now(), 40_MiB);
}

TYPED_TEST(Segments, BeginAtMultiplesOfTwoMebibytes) {
  for (int i = 0; i < 5; ++i) {
    void* const address = this->source_.take(2_MiB);
    EXPECT_EQ(this->number(address) % (2U << 20), 0U);
  }
}

TYPED_TEST(Segments, RangesCountOnlyWhatIsMapped) {
  auto& source = this->source_;
  ASSERT_TRUE(source.has_ranges());
  void* const range = source.reserve_range(60_MiB);  // more than the capacity
  ASSERT_NE(range, nullptr);
  EXPECT_EQ(source.free_now(), 40_MiB);
  char* const begin = static_cast<char*>(range);
  EXPECT_TRUE(source.map(begin + (20_MiB).n, 20_MiB));
  EXPECT_EQ(source.free_now(), 20_MiB);
  EXPECT_FALSE(source.map(begin, 20_MiB + 2_MiB));
  EXPECT_EQ(source.free_now(), 20_MiB) << "a refusal maps nothing";
  EXPECT_TRUE(source.map(begin + (40_MiB).n, 20_MiB));
  source.unmap(begin + (20_MiB).n, 40_MiB);  // what was mapped apart goes together
  EXPECT_EQ(source.free_now(), 40_MiB);
  source.release_range(range, 60_MiB);
}

TYPED_TEST(Segments, RefuseACapacityOfNothing) {
  EXPECT_THROW((TypeParam{0_B, "here"}), usage_error);
  EXPECT_THROW((TypeParam{bytes{-1}, "here"}), usage_error);
}

TEST(AddressSegments, AscendAndAreNeverGivenTwice) {
  address_segments source(40_MiB, "plan");
  auto before = reinterpret_cast<std::uintptr_t>(source.take(2_MiB));
  for (int i = 0; i < 50; ++i) {
    void* const address = i % 2 == 0 ? source.take(2_MiB) : source.reserve_range(2_MiB);
    const auto now = reinterpret_cast<std::uintptr_t>(address);
    EXPECT_GE(now, before + (2U << 20));
    before = now;
    if (i % 2 == 0) source.give_back(address, 2_MiB);
  }
}

TEST(HostSegments, HoldWhatIsWritten) {
  host_segments source(8_MiB, "cpu");
  char* const memory = static_cast<char*>(source.take(4_MiB));
  EXPECT_EQ(memory[0], 0);
  std::memset(memory, 7, static_cast<std::size_t>((4_MiB).n));
  EXPECT_EQ(memory[(4_MiB).n - 1], 7);
  source.give_back(memory, 4_MiB);
}

TEST(HostSegments, MappedMemoryIsNewEachTime) {
  host_segments source(8_MiB, "cpu");
  char* const range = static_cast<char*>(source.reserve_range(8_MiB));
  ASSERT_TRUE(source.map(range + (2_MiB).n, 2_MiB));
  range[(2_MiB).n] = 7;
  source.unmap(range + (2_MiB).n, 2_MiB);
  ASSERT_TRUE(source.map(range + (2_MiB).n, 2_MiB));
  EXPECT_EQ(range[(2_MiB).n], 0);
  source.unmap(range + (2_MiB).n, 2_MiB);
  source.release_range(range, 8_MiB);
}

TEST(HostSegments, ALargeSegmentTakesMemoryOnlyWhereItIsWritten) {
  host_segments source(64_GiB, "cpu");
  char* const memory = static_cast<char*>(source.take(48_GiB));
  ASSERT_NE(memory, nullptr);
  memory[(40_GiB).n] = 1;
  source.give_back(memory, 48_GiB);
}

TEST(HostSegments, PhysicalMemoryIsKnown) { EXPECT_GT(physical_memory(), 64_MiB); }

}  // namespace
}  // namespace headroom
