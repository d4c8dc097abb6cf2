// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Every registered operation with each of its policies on cuda:0 over the emulated card, in sizes
// in which every block's contents can be looked at.
#include <gmock/gmock.h>

#include "../api.hpp"
#include "measured.hpp"

namespace headroom::test {
namespace {

class SmallWorkload : public testing::TestWithParam<suite_case> {
 protected:
  void SetUp() override {
    set_card("CONTENTS", "all");
    set_card("DEVICES", "2");
  }
};

INSTANTIATE_TEST_SUITE_P(Every, SmallWorkload, testing::ValuesIn(make_small_cases().cases),
                         [](const auto& each) { return each.param.name; });

TEST_P(SmallWorkload, HasTheCountersOfPlanAndCpu) {
  const measured emulated = measure(GetParam(), "cuda:0", keep::at_phase_ends);
  const measured on_cpu = measure(GetParam(), "cpu", keep::at_phase_ends);
  expect_equal_counters(measure(GetParam(), "plan:1GiB").series, emulated.series);
  expect_equal_counters(on_cpu.series, emulated.series);
  EXPECT_EQ(difference(on_cpu.kept, emulated.kept, tolerance(GetParam().what)), "");
  EXPECT_EQ(headroom_emulation_launches_left_out(), 0U);
}

TEST_P(SmallWorkload, LeavesInEveryBlockWhatTheCpuDoes) {
  const measured on_cpu = measure(GetParam(), "cpu", keep::at_frees);
  const measured emulated = measure(GetParam(), "cuda:0", keep::at_frees);
  EXPECT_EQ(difference(on_cpu.kept, emulated.kept, tolerance(GetParam().what)), "");
}

TEST(SmallWorkloads, AreThereForEveryRegisteredOperation) {
  EXPECT_THAT(make_small_cases().sizeless, testing::IsEmpty())
      << "write sizes and policies for them in suite/cases.cpp";
}

}  // namespace
}  // namespace headroom::test
