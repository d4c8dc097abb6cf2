// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Random traces: the allocator's figures and its whole map of memory against a slow model of the
// rules, and what must hold whatever the rules, after every event.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/replay.hpp>
#include <map>
#include <set>

#include "support/allocator_model.hpp"
#include "support/random_trace.hpp"

namespace headroom {
namespace {

/// Addresses without memory, which checks that the allocator gives back what it took, once.
class checked_segments final : public segment_source {
 public:
  explicit checked_segments(bytes capacity) : addresses_(capacity, "plan") {}
  ~checked_segments() override {
    EXPECT_TRUE(taken_.empty() && ranges_.empty() && mapped_.empty()) << "kept at the end";
  }

  void* take(bytes size) override {
    EXPECT_EQ(size.n % (2_MiB).n, 0);
    void* const address = addresses_.take(size);
    if (address != nullptr) taken_[address] = size;
    return address;
  }
  void give_back(void* address, bytes size) noexcept override {
    EXPECT_EQ(taken_[address], size);
    taken_.erase(address);
    addresses_.give_back(address, size);
  }
  [[nodiscard]] bool has_ranges() const override { return true; }
  void* reserve_range(bytes size) override {
    void* const address = addresses_.reserve_range(size);
    ranges_[address] = size;
    return address;
  }
  void release_range(void* address, bytes size) noexcept override {
    EXPECT_EQ(ranges_[address], size);
    ranges_.erase(address);
  }
  bool map(void* address, bytes size) override {
    if (!addresses_.map(address, size)) return false;
    for (std::int64_t page = 0; page < size.n; page += (2_MiB).n) {
      EXPECT_TRUE(mapped_.insert(static_cast<char*>(address) + page).second) << "mapped twice";
    }
    return true;
  }
  void unmap(void* address, bytes size) noexcept override {
    for (std::int64_t page = 0; page < size.n; page += (2_MiB).n) {
      EXPECT_EQ(mapped_.erase(static_cast<char*>(address) + page), 1U) << "was not mapped";
    }
    addresses_.unmap(address, size);
  }
  [[nodiscard]] bytes capacity() const override { return addresses_.capacity(); }
  [[nodiscard]] std::optional<bytes> free_now() const override { return addresses_.free_now(); }
  [[nodiscard]] std::string device_id() const override { return "plan"; }
  [[nodiscard]] bytes held() const { return capacity() - *free_now(); }

 private:
  address_segments addresses_;
  std::map<void*, bytes> taken_;
  std::map<void*, bytes> ranges_;
  std::set<char*> mapped_;
};

std::string text_of(const held_block& block) {
  return fmt::format("{}+{} {} B use {} stream {} {}", block.place.segment, block.place.offset.n,
                     block.size.n, static_cast<int>(block.use), block.stream.n,
                     block.small ? "small" : "large");
}
std::string text_of(const std::vector<held_block>& blocks) {
  std::string text;
  for (const held_block& each : blocks) text += text_of(each) + "\n";
  return text;
}

/// Of each segment: pieces one behind the other from its begin, none that should be merged.
void check_pieces(const std::vector<held_block>& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const held_block& here = blocks[i];
    ASSERT_GT(here.size.n, 0) << text_of(here);
    ASSERT_EQ(here.size.n % 512, 0) << text_of(here);
    const bool first = i == 0 || blocks[i - 1].place.segment != here.place.segment;
    if (first) {
      ASSERT_EQ(here.place.offset.n, 0) << text_of(here);
      continue;
    }
    const held_block& before = blocks[i - 1];
    ASSERT_EQ(before.place.offset + before.size, here.place.offset) << text_of(here);
    const bool joins = here.use == block_use::cached || here.use == block_use::unmapped;
    ASSERT_FALSE(joins && before.use == here.use) << text_of(before) << " beside " << text_of(here);
  }
}

void check_sums(const std::vector<held_block>& blocks, const caching_statistics& now, bytes held) {
  std::map<block_use, bytes> sums;
  for (const held_block& each : blocks) sums[each.use] += each.size;
  const memory_counters& counters = now.counters;
  ASSERT_EQ(sums[block_use::live], counters.allocated.current);
  ASSERT_EQ(sums[block_use::live] + sums[block_use::pending], now.active);
  ASSERT_EQ(now.active + sums[block_use::cached], counters.reserved.current);
  ASSERT_EQ(counters.reserved.current, held);
  ASSERT_EQ(now.by_tag.total(), counters.allocated.current);
  ASSERT_LE(counters.requested.current, now.active);
  ASSERT_LE(counters.allocated.current, counters.allocated.peak);
  ASSERT_LE(counters.reserved.current, counters.reserved.peak);
  ASSERT_LE(counters.requested.current, counters.requested.peak);
  ASSERT_EQ(now.at_allocated_peak.allocated, counters.allocated.peak);
  ASSERT_EQ(now.at_allocated_peak.by_tag->total(), counters.allocated.peak);
}

class AllocatorModel : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(AllocatorModel, EqualsTheAllocatorAfterEveryEvent) {
  live_trace trace = random_trace(GetParam());
  trace.events.resize(std::min<std::size_t>(trace.events.size(), 600));
  SCOPED_TRACE(trace.settings_text());
  const allocator_settings settings = parse_allocator_settings(trace.settings_text());
  checked_segments source(trace.capacity);
  ticket_clock clock;
  caching_allocator allocator(source, clock, settings);
  allocator_model model(trace.capacity, settings);
  replay run(allocator, clock);
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    trace_event event = trace.events[i];
    event.what = all_tags[event.id % tag_count];
    const replay_step step = run.apply(event);
    ASSERT_EQ(model.apply(i, event), replay_line(i, event, step, allocator));
    const std::vector<held_block> blocks = allocator.blocks();
    ASSERT_EQ(text_of(model.blocks()), text_of(blocks)) << "after event " << i;
    ASSERT_NO_FATAL_FAILURE(check_pieces(blocks));
    ASSERT_NO_FATAL_FAILURE(check_sums(blocks, allocator.statistics(), source.held()));
  }
  for (const traced_block& each : run.live()) allocator.deallocate(each.held);
  clock.complete_all();
  allocator.empty_cache();
  const caching_statistics end = allocator.statistics();
  EXPECT_EQ(end.counters.allocated.current, 0_B);
  EXPECT_EQ(end.counters.requested.current, 0_B);
  EXPECT_EQ(end.counters.reserved.current, 0_B);
  EXPECT_EQ(end.active, 0_B);
  EXPECT_EQ(end.segments, 0);
  // An address range that never had memory is kept, as nothing in it could be given back.
  for (const held_block& left : allocator.blocks()) {
    EXPECT_EQ(left.use, block_use::unmapped) << text_of(left);
  }
  EXPECT_EQ(source.held(), 0_B);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AllocatorModel, ::testing::Range<std::uint64_t>(1, 121));

}  // namespace
}  // namespace headroom
