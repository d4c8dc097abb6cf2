// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <headroom/gtest/memory_budget_test.hpp>

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  return headroom::run_all_tests();
}
