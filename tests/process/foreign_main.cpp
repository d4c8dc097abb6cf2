// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// A main as GoogleTest's: its exit code is 0 when every test was skipped.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
