// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run_all_tests.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <headroom/gtest/memory_budget_test.hpp>

namespace headroom {
namespace {
bool running = false;
}  // namespace

bool skips_reach_the_exit_code() { return running; }

int run_all_tests() {
  constexpr int skipped = 77;
  running = true;
  const int failed = RUN_ALL_TESTS();
  const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
  if (failed != 0 || GTEST_FLAG_GET(list_tests)) return failed;
  if (unit.test_to_run_count() == 0) {
    std::fprintf(stderr,
                 "headroom: no test was selected, so nothing was measured; see "
                 "--gtest_filter and --gtest_list_tests\n");
    return 1;
  }
  return unit.skipped_test_count() == unit.test_to_run_count() ? skipped : 0;
}

}  // namespace headroom
