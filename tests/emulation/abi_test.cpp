// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include "abi_facts.hpp"

namespace {

TEST(EmulatedAbi, IsTheToolkits) {
  const abi_facts theirs = facts_of_toolkit();
  const abi_facts ours = facts_of_emulation();
  EXPECT_GT(ours.size(), 400u);
  ASSERT_EQ(ours.size(), theirs.size());
  for (const auto& [what, number] : ours) {
    ASSERT_TRUE(theirs.contains(what)) << what;
    EXPECT_EQ(number, theirs.at(what)) << what;
  }
}

}  // namespace
