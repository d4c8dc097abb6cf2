// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "emulation/card/profile.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace headroom::emulation {
namespace {

TEST(CardProfile, EveryOneIsCompleteAndCannotBeTakenForARealCard) {
  std::istringstream ids(profile_ids());
  int known = 0;
  for (std::string id; std::getline(ids >> std::ws, id, ',');) {
    const auto profile = find_profile(id);
    ASSERT_TRUE(profile) << id;
    EXPECT_EQ(profile->name.rfind("Emulated ", 0), 0u) << id;
    EXPECT_GE(profile->capacity, 15'000'000'000u) << id;
    EXPECT_GT(profile->processors, 0) << id;
    EXPECT_GT(profile->level2_cache, 0u) << id;
    EXPECT_GE(profile->shared_per_processor, profile->shared_per_block_optin) << id;
    EXPECT_GE(profile->major, 7) << id;
    ++known;
  }
  EXPECT_EQ(known, 11);
  EXPECT_FALSE(find_profile("rtx9999"));
}

TEST(CardProfile, ACapabilityBringsItsLimits) {
  auto profile = profile_of_size(24'000'000'000, 9, 0);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->shared_per_processor, 228u * 1024);
  ASSERT_TRUE(set_capability(*profile, 7, 5));
  EXPECT_EQ(profile->threads_per_processor, 1024);
  EXPECT_FALSE(set_capability(*profile, 3, 5));
  EXPECT_EQ(profile->major, 7) << "unchanged";
  EXPECT_FALSE(profile_of_size(1, 42, 0));
}

}  // namespace
}  // namespace headroom::emulation
