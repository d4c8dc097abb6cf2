// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/card.hpp>

#include <gmock/gmock.h>

#include <filesystem>
#include <headroom/core/error.hpp>

namespace headroom {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path source = HEADROOM_SOURCE_DIR;

std::string fault_of(const fs::path& file) {
  try {
    static_cast<void>(read_card(file));
  } catch (const usage_error& fault) {
    return fault.what();
  }
  return "";
}

TEST(Card, EveryFileIsBuiltInUnderItsName) {
  std::size_t files = 0;
  for (const auto& file : fs::directory_iterator(source / "cards")) {
    ++files;
    const card read = read_card(file.path());
    EXPECT_EQ(read.name, file.path().stem().string());
    const auto known = find_card(read.name);
    ASSERT_TRUE(known) << read.name;
    EXPECT_EQ(known->capacity(), read.capacity());
  }
  EXPECT_EQ(card_names().size(), files);
  EXPECT_GE(files, 11U);
}

TEST(Card, AFigureSaysWhereItComesFrom) {
  const auto l4 = find_card("l4");
  ASSERT_TRUE(l4);
  EXPECT_EQ(l4->nominal.value, bytes{24'000'000'000});
  EXPECT_EQ(l4->capacity(), bytes{23'654'532'383}) << "22.03 GiB";
  EXPECT_EQ(l4->capacity_words(), "declared, published");
  EXPECT_THAT(l4->declared->source, HasSubstr("public report"));
  EXPECT_EQ(l4->capability.value.major, 8);
  EXPECT_EQ(l4->capability.value.minor, 9);
  EXPECT_EQ(l4->multiprocessors.value, 58);
  EXPECT_FALSE(l4->context.published);
}

TEST(Card, WhatNobodyPublishedIsNominalAndAssumed) {
  const auto h200 = find_card("h200");
  ASSERT_TRUE(h200);
  EXPECT_FALSE(h200->declared);
  EXPECT_EQ(h200->capacity(), bytes{141'000'000'000});
  EXPECT_EQ(h200->capacity_words(), "nominal, assumed to be what the card declares");
}

TEST(Card, AnUnknownNameHasTheNearestOrAll) {
  EXPECT_FALSE(find_card("rtx4080"));
  EXPECT_EQ(advice_for_card("rtx4080"), "write \"rtx4090\"");
  EXPECT_THAT(advice_for_card("voodoo"), HasSubstr("the cards are \"a100-40gb\", \"a100-80gb\""));
}

TEST(Card, TheSchemasExamplesAreReadAlike) {
  const fs::path examples = source / "tests/schema/card";
  for (const auto& file : fs::directory_iterator(examples / "accept")) {
    EXPECT_EQ(fault_of(file.path()), "");
  }
  std::size_t refused = 0;
  for (const char* const folder : {"reject", "reject-beyond-schema"}) {
    for (const auto& file : fs::directory_iterator(examples / folder)) {
      EXPECT_THAT(fault_of(file.path()), HasSubstr(file.path().filename().string()));
      ++refused;
    }
  }
  EXPECT_EQ(refused, 10U);
}

TEST(Card, AFaultSaysWhereAndWhatToWrite) {
  const fs::path folder = source / "tests/schema/card/reject";
  EXPECT_THAT(fault_of(folder / "no_source.json"),
              HasSubstr("/level2_cache: key \"source\" is missing; write where it is published"));
  EXPECT_THAT(
      fault_of(folder / "unknown_basis.json"),
      HasSubstr("/nominal_capacity/basis: found the text \"measured\"; write \"published\""));
  EXPECT_THAT(fault_of(folder / "ambiguous_unit.json"),
              HasSubstr("unknown unit \"KB\"; write \"kB\""));
}

}  // namespace
}  // namespace headroom
