// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Mistakes in the order of streams, planted: what the suite compares must show each of them.
#include "../api.hpp"
#include "measured.hpp"
#include "ordered_workload.hpp"

namespace headroom::test {
namespace {

class OrderMistake : public testing::TestWithParam<order_mistake> {
 protected:
  void SetUp() override { set_card("CONTENTS", "all"); }

  static std::string shown_by(order_mistake mistake) {
    const protocol passes{1, 1};
    const auto make = [&] { return make_ordered_workload(mistake); };
    const measured on_cpu = measure(make, passes, "cpu", keep::at_phase_ends);
    const measured emulated = measure(make, passes, "cuda:0", keep::at_phase_ends);
    for (const phase_record& phase : emulated.series.phases) {
      EXPECT_EQ(phase.status, phase_status::ok) << phase.name;
    }
    return difference(on_cpu.kept, emulated.kept, tolerance(on_cpu.series.workload));
  }
};

INSTANTIATE_TEST_SUITE_P(Planted, OrderMistake,
                         testing::Values(order_mistake::no_wait, order_mistake::no_recorded_use,
                                         order_mistake::no_synchronize,
                                         order_mistake::host_memory_reused),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(OrderMistake, ShowsInTheContents) {
  EXPECT_NE(shown_by(GetParam()), "") << name_of(GetParam()) << " was not seen";
}

TEST_F(OrderMistake, IsNotSeenWhereThereIsNone) { EXPECT_EQ(shown_by(order_mistake::none), ""); }

}  // namespace
}  // namespace headroom::test
