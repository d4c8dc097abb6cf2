// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The decoder's generation and training under their budgets; which one comes from
// headroom_add_budget_test(... BUDGET ...).
#include <headroom/gtest/memory_budget_test.hpp>
#include <headroom_kernels/workloads.hpp>

namespace {

class Decoder : public headroom::MemoryBudgetTest {
 protected:
  std::unique_ptr<headroom::workload> make_workload(const headroom::budget& against) override {
    return headroom::kernels::make_workload(against.workload);
  }
};

HEADROOM_BUDGET_TEST(Decoder);

}  // namespace
