// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include "nccl_facts.hpp"

namespace {

TEST(EmulatedNccl, IsDeclaredAsItsHeaderDeclaresIt) {
  const nccl_facts ours = nccl_facts_of_emulation();
  const nccl_facts theirs = nccl_facts_of_header();
  if (theirs.empty()) {
    GTEST_SKIP() << "there is no nccl.h of 2.28 or newer here (NCCL's package, or "
                    "nvidia-nccl-cu13 of pip)";
  }
  EXPECT_GT(ours.size(), 55U);
  for (const auto& [what, fact] : ours) {
    ASSERT_TRUE(theirs.contains(what)) << what;
    EXPECT_EQ(fact, theirs.at(what)) << what;
  }
}

}  // namespace
