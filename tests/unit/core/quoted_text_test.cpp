// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <headroom/core/quoted_text.hpp>
#include <string>

namespace headroom {
namespace {

TEST(QuotedText, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(quoted_text("4 GiB"), "\"4 GiB\"");
  EXPECT_EQ(quoted_text(""), "\"\"");
  EXPECT_EQ(quoted_text("größe €  \xF0\x9F\x98\x80"), "\"größe €  \xF0\x9F\x98\x80\"");
}

TEST(QuotedText, EscapesQuotesAndBackslashes) {
  EXPECT_EQ(quoted_text("a\"b\\c"), "\"a\\\"b\\\\c\"");
}

TEST(QuotedText, EscapesControlCharacters) {
  EXPECT_EQ(quoted_text("a\nb\tc\rd"), "\"a\\nb\\tc\\rd\"");
  EXPECT_EQ(quoted_text(std::string_view("a\0b", 3)), "\"a\\u0000b\"");
  EXPECT_EQ(quoted_text("\x1B[31mred\x7F"), "\"\\u001b[31mred\\u007f\"");
  EXPECT_EQ(quoted_text("\xC2\x9B"), "\"\\u009b\"");
}

TEST(QuotedText, EscapesCharactersThatTurnTheDirectionOfText) {
  EXPECT_EQ(quoted_text("a\xE2\x80\xAE"
                        "b"),
            "\"a\\u202eb\"");
  EXPECT_EQ(quoted_text("\xEF\xBB\xBF"), "\"\\ufeff\"");
}

TEST(QuotedText, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(quoted_text("a\xFF"), "\"a\\xff\"");
  EXPECT_EQ(quoted_text("\xC3"), "\"\\xc3\"");
}

TEST(QuotedText, CutsALongText) {
  EXPECT_EQ(quoted_text(std::string(60, 'a')), '"' + std::string(60, 'a') + '"');
  EXPECT_EQ(quoted_text(std::string(61, 'a')), '"' + std::string(60, 'a') + "...\" (61 bytes)");
  EXPECT_EQ(quoted_text("ééé", 2), "\"éé...\" (6 bytes)");
}

TEST(Utf8Length, AcceptsTheBordersOfEachLength) {
  EXPECT_EQ(utf8_length(std::string_view("\0", 1)), 1U);
  EXPECT_EQ(utf8_length("\x7F"), 1U);
  EXPECT_EQ(utf8_length("\xC2\x80"), 2U);
  EXPECT_EQ(utf8_length("\xDF\xBF"), 2U);
  EXPECT_EQ(utf8_length("\xE0\xA0\x80"), 3U);
  EXPECT_EQ(utf8_length("\xED\x9F\xBF"), 3U);
  EXPECT_EQ(utf8_length("\xEE\x80\x80"), 3U);
  EXPECT_EQ(utf8_length("\xF0\x90\x80\x80"), 4U);
  EXPECT_EQ(utf8_length("\xF4\x8F\xBF\xBF"), 4U);
}

TEST(Utf8Length, RefusesWhatIsNotUtf8) {
  EXPECT_EQ(utf8_length(""), 0U);
  EXPECT_EQ(utf8_length("\x80"), 0U) << "continuation alone";
  EXPECT_EQ(utf8_length("\xC1\xBF"), 0U) << "overlong";
  EXPECT_EQ(utf8_length("\xE0\x9F\xBF"), 0U) << "overlong";
  EXPECT_EQ(utf8_length("\xF0\x8F\xBF\xBF"), 0U) << "overlong";
  EXPECT_EQ(utf8_length("\xED\xA0\x80"), 0U) << "surrogate";
  EXPECT_EQ(utf8_length("\xF4\x90\x80\x80"), 0U) << "above U+10FFFF";
  EXPECT_EQ(utf8_length("\xF5\x80\x80\x80"), 0U);
  EXPECT_EQ(utf8_length("\xE2\x82"), 0U) << "cut off";
  EXPECT_EQ(utf8_length("\xE2\x28\xA1"), 0U) << "no continuation";
}

}  // namespace
}  // namespace headroom
