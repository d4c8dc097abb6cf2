// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <functional>
#include <headroom/series/comparable.hpp>

#include "support/scripted_series.hpp"

namespace headroom {
namespace {

using test::scripted_series;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> reasons(const std::function<void(series_record&)>& change) {
  series_record head = scripted_series();
  change(head);
  return why_not_comparable(scripted_series(), head);
}

TEST(Comparable, TheSameLoadIsEvenOfAnotherRevision) {
  EXPECT_THAT(reasons([](series_record&) {}), IsEmpty());
  EXPECT_THAT(reasons([](series_record& head) {
                head.workload.revision = "2";
                head.tool.revision = "another";
                head.protocol.repeats = 9;
                test::end_of(head, 2)[counter_id::allocated_peak] = 9_MiB;
              }),
              IsEmpty());
}

TEST(Comparable, AnotherAllocatorIsNot) {
  EXPECT_THAT(reasons([](series_record& head) {
                head.devices[0].allocator.name = "stream-ordered pool of the CUDA driver";
              }),
              ElementsAre("the allocator differs: \"caching\" and \"stream-ordered pool of the "
                          "CUDA driver\""));
  EXPECT_THAT(
      reasons([](series_record& head) {
        head.devices[0].allocator.settings = {{"max_split_size_mb", "128"}};
      }),
      ElementsAre("the set of allocator settings differs: \"none\" and \"max_split_size_mb 128\""));
}

TEST(Comparable, SettingsInAnotherOrderAreTheSame) {
  series_record base = scripted_series();
  base.devices[0].allocator.settings = {{"a", "1"}, {"b", "2"}};
  series_record head = base;
  head.devices[0].allocator.settings = {{"b", "2"}, {"a", "1"}};
  EXPECT_THAT(why_not_comparable(base, head), IsEmpty());
}

TEST(Comparable, ABoundBesideAnExactPeakIsNot) {
  EXPECT_THAT(reasons([](series_record& head) {
                head.devices[0].source[counter_id::reserved_peak].exact = false;
              }),
              ElementsAre("the coverage of the reserved peak differs: \"exact\" and \"a bound\""));
  EXPECT_THAT(
      reasons([](series_record& head) { head.devices[0].source[counter_id::reserved_peak] = {}; }),
      ElementsAre(HasSubstr("\"exact\" and \"not available\"")));
}

TEST(Comparable, AnotherLoadIsNot) {
  const auto expect = [](const std::function<void(series_record&)>& change, const char* words) {
    EXPECT_THAT(reasons(change), ElementsAre(HasSubstr(words))) << words;
  };
  expect([](auto& head) { head.workload.name = "other"; }, "the workload differs");
  expect([](auto& head) { head.workload.operation = "train"; }, "the operation differs");
  expect([](auto& head) { head.pass_name = "step"; }, "the pass differs");
  expect([](auto& head) { head.workload.dtype = "bfloat16"; }, "the dtype differs");
  expect([](auto& head) { head.workload.seed = 8; }, "the seed differs: \"7\" and \"8\"");
  expect([](auto& head) { head.workload.requested.set("batch", 3); },
         "the requested dimensions differ");
  expect([](auto& head) { head.executed.set("batch", 1); }, "the executed dimensions differ");
  expect(
      [](auto& head) {
        head.workload.options = {{"checkpointing", "sqrt"}};
      },
      "the set of options differs: \"none\" and \"checkpointing sqrt\"");
}

TEST(Comparable, APredictionBesideAMeasurementIsNot) {
  EXPECT_THAT(reasons([](series_record& head) { head.devices[0].info.kind = device_kind::cuda; }),
              ElementsAre("one is a prediction and the other a measurement: \"a prediction\" and "
                          "\"a measurement\""));
}

TEST(Comparable, OneCardSaysNothingAboutAnother) {
  series_record base = scripted_series();
  base.devices[0].info.kind = device_kind::cuda;
  series_record head = base;
  head.devices[0].info.name = "another card";
  EXPECT_THAT(why_not_comparable(base, head), ElementsAre(HasSubstr("the card differs")));
  head.devices.push_back(head.devices[0]);
  EXPECT_THAT(why_not_comparable(base, head), ElementsAre(HasSubstr("the number of devices")));
}

TEST(Comparable, ARehearsalIsNot) {
  EXPECT_THAT(reasons([](series_record& head) {
                head.devices[0].rehearsed = rehearsal_record{"segment:2", 3, 3, 1};
              }),
              ElementsAre("the rehearsal differs: \"none\" and \"segment:2\""));
}

TEST(Comparable, GivesEveryReason) {
  EXPECT_EQ(reasons([](series_record& head) {
              head.workload.seed = 8;
              head.devices[0].allocator.name = "plain";
              head.devices[0].source.name = "plain";
            }).size(),
            3U);
}

}  // namespace
}  // namespace headroom
