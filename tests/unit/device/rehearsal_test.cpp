// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/device/rehearsal.hpp>
#include <string>
#include <vector>

namespace headroom {
namespace {

using namespace headroom::literals;
using testing::HasSubstr;

std::string refusal_of(std::string_view text) {
  try {
    return "accepted as " + parse_rehearsal(text).text();
  } catch (const usage_error& wrong) {
    return wrong.what();
  }
}

TEST(RehearsalPlan, IsReadAndWrittenTheSame) {
  EXPECT_TRUE(parse_rehearsal("").empty());
  for (const char* text :
       {"allocation:1", "segment:3+", "segment:3-5", "allocation:7,segment:2+,segment:1"}) {
    EXPECT_EQ(parse_rehearsal(text).text(), text);
  }
  EXPECT_EQ(parse_rehearsal("segment:4-4").text(), "segment:4");
}

TEST(RehearsalPlan, RefusesWhatIsNone) {
  for (const char* text : {"kernel:1", "allocation", "allocation:", "allocation:0", "allocation:-1",
                           "segment:5-4", "segment:5-", "segment:5++", "segment:5 ", " segment:5",
                           "segment:99999999999999999999", "segment:5,", ",", "Segment:5"}) {
    EXPECT_THAT(refusal_of(text), HasSubstr("write allocation:N or segment:N with N from 1"))
        << text;
  }
}

allocator_choice rehearsed(std::string_view plan, allocator_kind kind = allocator_kind::caching) {
  allocator_choice choice;
  choice.kind = kind;
  choice.rehearsed = parse_rehearsal(plan);
  return choice;
}

TEST(Rehearsal, CountsOnlyFromItsBeginning) {
  plan_device on("1GiB", rehearsed("allocation:2,segment:9"));
  { const buffer before(on, 1_MiB, tag::other); }
  on.rehearsed()->begin();
  const buffer first(on, 1_MiB, tag::other);
  const buffer none(on, 0_B, tag::other);
  EXPECT_THROW(buffer(on, 5_MiB, tag::weights), out_of_memory);
  const buffer third(on, 30_MiB, tag::other);
  EXPECT_EQ(on.rehearsed()->record(), (rehearsal_record{"allocation:2,segment:9", 3, 1, 1}));
  EXPECT_EQ(on.counters().read().refusals, 1);
}

TEST(Rehearsal, ARefusedAllocationChangesNoCounterAndCarriesTheFacts) {
  plan_device on("1GiB", rehearsed("allocation:2"));
  on.rehearsed()->begin();
  const buffer held(on, 3_MiB, tag::weights);
  const source_reading before = on.counters().read();
  try {
    const buffer refused(on, 5_MiB, tag::kv_cache);
    FAIL() << "was allocated";
  } catch (const out_of_memory& refused) {
    EXPECT_EQ(refused.facts().requested, 5_MiB);
    EXPECT_EQ(refused.facts().what, tag::kv_cache);
    EXPECT_EQ(refused.facts().counters.allocated.current, 3_MiB);
    EXPECT_EQ(refused.facts().counters.reserved.current, 20_MiB);
    EXPECT_EQ(refused.facts().capacity, 1_GiB);
    EXPECT_EQ(refused.facts().device, "plan:1GiB");
  }
  EXPECT_EQ(on.counters().read().counters, before.counters);
}

TEST(Rehearsal, OneRefusedSegmentIsTriedAgain) {
  plan_device on("1GiB", rehearsed("segment:2"));
  on.rehearsed()->begin();
  const buffer first(on, 30_MiB, tag::other);
  const buffer second(on, 30_MiB, tag::other);
  EXPECT_EQ(on.counters().read().retries, 1);
  EXPECT_EQ(on.counters().read().refusals, 0);
  EXPECT_EQ(on.rehearsed()->record(), (rehearsal_record{"segment:2", 2, 3, 1}));
}

TEST(Rehearsal, RefusedSegmentsEndInOutOfMemory) {
  for (const char* settings : {"", "expandable_segments:True"}) {
    allocator_choice choice = rehearsed("segment:2+");
    choice.settings = parse_allocator_settings(settings);
    cpu_device on(choice, 1_GiB);
    on.rehearsed()->begin();
    const buffer first(on, 20_MiB, tag::other);
    EXPECT_THROW(buffer(on, 30_MiB, tag::other), out_of_memory) << settings;
    EXPECT_EQ(on.counters().read().refusals, 1) << settings;
  }
}

TEST(Rehearsal, IsThereOnlyWhenAskedFor) {
  plan_device on("1GiB");
  EXPECT_EQ(on.rehearsed(), nullptr);
}

TEST(Rehearsal, RefusesOfThePlainAllocatorToo) {
  for (const char* plan : {"segment:2", "allocation:2"}) {
    plan_device on("1GiB", rehearsed(plan, allocator_kind::plain));
    on.rehearsed()->begin();
    const buffer first(on, 1_MiB, tag::other);
    EXPECT_THROW(buffer(on, 1_MiB, tag::other), out_of_memory) << plan;
    EXPECT_EQ(on.counters().read().refusals, 1) << plan;
    EXPECT_EQ(on.rehearsed()->record().refused, 1) << plan;
  }
}

}  // namespace
}  // namespace headroom
