// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Which texts are taken and what they mean: as PyTorch 2.15 answered for the same texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom/device/allocator_settings.hpp>
#include <string>

namespace headroom {
namespace {

using namespace headroom::literals;
using divisions = std::array<std::uint64_t, 16>;

struct accepted {
  const char* text;
  allocator_settings means;
};

allocator_settings split(bytes size) {
  allocator_settings all;
  all.max_split_size = size;
  return all;
}
allocator_settings over(bytes size) {
  allocator_settings all;
  all.max_non_split_rounding = size;
  return all;
}
allocator_settings collected(double threshold) {
  allocator_settings all;
  all.garbage_collection_threshold = threshold;
  return all;
}
allocator_settings share(double fraction) {
  allocator_settings all;
  all.per_process_memory_fraction = fraction;
  return all;
}
allocator_settings divided(const divisions& table) {
  allocator_settings all;
  all.roundup_power2_divisions = table;
  return all;
}
divisions all_of(std::uint64_t count) {
  divisions table;
  table.fill(count);
  return table;
}
allocator_settings expandable(allocator_settings all = {}) {
  all.expandable_segments = true;
  return all;
}

class Accepted : public ::testing::TestWithParam<accepted> {};
TEST_P(Accepted, MeansTheSameAsInPyTorch) {
  EXPECT_EQ(parse_allocator_settings(GetParam().text), GetParam().means) << GetParam().text;
}
TEST_P(Accepted, IsWrittenSoThatItReadsTheSame) {
  std::string text;
  for (const auto& [name, value] : GetParam().means.entries()) {
    text += (text.empty() ? "" : ",") + name + ":" + value;
  }
  EXPECT_EQ(parse_allocator_settings(text), GetParam().means) << text;
}

constexpr std::uint64_t huge = std::uint64_t{1} << 63;
INSTANTIATE_TEST_SUITE_P(
    Texts, Accepted,
    ::testing::Values(
        accepted{"", {}}, accepted{"max_split_size_mb:64", split(64_MiB)},
        accepted{"max_split_size_mb:20", split(20_MiB)},
        accepted{"max_split_size_mb:64MB", split(64_MiB)},
        accepted{"max_split_size_mb:64.9", split(64_MiB)},
        accepted{"max_split_size_mb:+64", split(64_MiB)},
        accepted{"max_split_size_mb,64", split(64_MiB)},
        accepted{"max_split_size_mb : 64", split(64_MiB)},
        accepted{"max_split_size_mb:6 4", split(64_MiB)},
        accepted{"max_split_size_mb:64,", split(64_MiB)},
        accepted{"max_split_size_mb:64,max_split_size_mb:32", split(32_MiB)},
        accepted{"max_split_size_mb:64:expandable_segments:True", expandable(split(64_MiB))},
        accepted{"max_split_size_mb:-1", split(bytes{std::int64_t{1} << 62})},
        accepted{"max_split_size_mb:17592186044416", split(bytes{std::int64_t{1} << 62})},
        accepted{"max_non_split_rounding_mb:20", over(20_MiB)},
        accepted{"max_non_split_rounding_mb:100", over(100_MiB)},
        accepted{"garbage_collection_threshold:0.5", collected(0.5)},
        accepted{"garbage_collection_threshold:0.5x", collected(0.5)},
        accepted{"garbage_collection_threshold:1e-9", collected(1e-9)},
        accepted{"garbage_collection_threshold:0x1p-1", collected(0.5)},
        accepted{"per_process_memory_fraction:0", share(0)},
        accepted{"per_process_memory_fraction:1", share(1)},
        accepted{"per_process_memory_fraction:.5", share(0.5)},
        accepted{"expandable_segments:True", expandable()},
        accepted{"expandable_segments:False", {}},
        accepted{"roundup_power2_divisions:4", divided(all_of(4))},
        accepted{"roundup_power2_divisions:1", divided(all_of(1))},
        accepted{"roundup_power2_divisions:9223372036854775808", divided(all_of(huge))},
        accepted{"roundup_power2_divisions:[256:1,512:2,1024:4,>:8]",
                 divided({1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 8, 8, 8, 8})},
        accepted{"roundup_power2_divisions:[256:1,512:2,1024:4]",
                 divided({1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4})},
        accepted{"roundup_power2_divisions:[512:2,256:1]", divided({2, 2, 2, 2, 2, 2, 2, 2, 1, 2})},
        accepted{"roundup_power2_divisions:[>:8]",
                 divided({0, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8})},
        accepted{"roundup_power2_divisions:[>:8,256:2]",
                 divided({2, 2, 2, 2, 2, 2, 2, 2, 2, 8, 8, 8, 8, 8, 8, 8})},
        accepted{"roundup_power2_divisions:[256:0,>:0]", {}},
        accepted{"roundup_power2_divisions:[1:2]", divided({2})},
        accepted{"roundup_power2_divisions:[32768:2]", divided(all_of(2))},
        accepted{"roundup_power2_divisions:[1048576:2]", divided(all_of(2))},
        accepted{"roundup_power2_divisions:[]", {}},
        accepted{"roundup_power2_divisions:[256:1,]", divided({1, 1, 1, 1, 1, 1, 1, 1, 1})},
        accepted{"roundup_power2_divisions:[256,1]", divided({1, 1, 1, 1, 1, 1, 1, 1, 1})},
        accepted{"roundup_power2_divisions:[256:1,256:2]", divided({1, 1, 1, 1, 1, 1, 1, 1, 2})},
        accepted{"roundup_power2_divisions:[256:1],expandable_segments:True",
                 expandable(divided({1, 1, 1, 1, 1, 1, 1, 1, 1}))}));

struct refused {
  const char* text;
  const char* says;
};

class Refused : public ::testing::TestWithParam<refused> {};
TEST_P(Refused, SaysWhatWasFoundAndWhatToWrite) {
  try {
    (void)parse_allocator_settings(GetParam().text);
    FAIL() << GetParam().text << " was taken";
  } catch (const usage_error& fault) {
    EXPECT_STREQ(fault.what(), GetParam().says);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Texts, Refused,
    ::testing::Values(
        refused{"max_split_size_mb:19",
                "allocator settings: max_split_size_mb: found \"19\"; write a number of MiB, 20 or "
                "more"},
        refused{"max_split_size_mb:abc",
                "allocator settings: max_split_size_mb: found \"abc\"; write a whole number"},
        refused{"max_split_size_mb:",
                "allocator settings: max_split_size_mb: the text ends before the value; write "
                "NAME:VALUE"},
        refused{"max_split_size_mb",
                "allocator settings: max_split_size_mb: the text ends before the value; write "
                "NAME:VALUE"},
        refused{"max_split_size_mb:99999999999999999999",
                "allocator settings: max_split_size_mb: found \"99999999999999999999\"; write a "
                "whole number"},
        refused{"max_split_size_mb:[64]",
                "allocator settings: max_split_size_mb: found \"[\"; write a whole number"},
        refused{"max_non_split_rounding_mb:19",
                "allocator settings: max_non_split_rounding_mb: found \"19\"; write a number of "
                "MiB, 20 or more"},
        refused{"garbage_collection_threshold:1",
                "allocator settings: garbage_collection_threshold: found \"1\"; write a number "
                "above 0 and below 1"},
        refused{"garbage_collection_threshold:0",
                "allocator settings: garbage_collection_threshold: found \"0\"; write a number "
                "above 0 and below 1"},
        refused{"garbage_collection_threshold:nan",
                "allocator settings: garbage_collection_threshold: found \"nan\"; write a number "
                "above 0 and below 1"},
        refused{"per_process_memory_fraction:1.0001",
                "allocator settings: per_process_memory_fraction: found \"1.0001\"; write a number "
                "from 0 to 1"},
        refused{"per_process_memory_fraction:-0.1",
                "allocator settings: per_process_memory_fraction: found \"-0.1\"; write a number "
                "from 0 to 1"},
        refused{"per_process_memory_fraction:x",
                "allocator settings: per_process_memory_fraction: found \"x\"; write a decimal "
                "number, for example 0.8"},
        refused{"expandable_segments:true",
                "allocator settings: expandable_segments: found \"true\"; write True or False"},
        refused{
            "roundup_power2_divisions:0",
            "allocator settings: roundup_power2_divisions: found \"0\" divisions; write a power "
            "of two"},
        refused{
            "roundup_power2_divisions:[256:3]",
            "allocator settings: roundup_power2_divisions: found \"3\" divisions; write a power "
            "of two, or 0 to round to 512 bytes"},
        refused{"roundup_power2_divisions:[255:1]",
                "allocator settings: roundup_power2_divisions: found the interval \"255\"; write a "
                "number of MiB that is a power of two"},
        refused{"roundup_power2_divisions:[0:1]",
                "allocator settings: roundup_power2_divisions: found the interval \"0\"; write a "
                "number of MiB that is a power of two"},
        refused{
            "roundup_power2_divisions:[256:1",
            "allocator settings: roundup_power2_divisions: the text ends before the value; write "
            "NAME:VALUE"},
        refused{",",
                "allocator settings: unknown setting \",\"; write max_split_size_mb, "
                "max_non_split_rounding_mb, roundup_power2_divisions, "
                "garbage_collection_threshold, per_process_memory_fraction or "
                "expandable_segments"},
        refused{"expandable_segment:True",
                "allocator settings: unknown setting \"expandable_segment\"; write "
                "max_split_size_mb, max_non_split_rounding_mb, roundup_power2_divisions, "
                "garbage_collection_threshold, per_process_memory_fraction or "
                "expandable_segments"}));

TEST(AllocatorSettings, AnUpdateChangesOnlyWhatItNames) {
  allocator_settings settings = split(64_MiB);
  update_allocator_settings(settings, "expandable_segments:True");
  EXPECT_EQ(settings, expandable(split(64_MiB)));
}

TEST(AllocatorSettings, AnUpdateThatIsRefusedChangesNothing) {
  allocator_settings settings = split(64_MiB);
  EXPECT_THROW(update_allocator_settings(settings, "expandable_segments:True,max_split_size_mb:1"),
               usage_error);
  EXPECT_EQ(settings, split(64_MiB));
}

}  // namespace
}  // namespace headroom
