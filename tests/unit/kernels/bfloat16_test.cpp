// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <headroom_kernels/bfloat16.hpp>
#include <limits>

namespace headroom::kernels {
namespace {

constexpr std::uint32_t pattern_count = 0x10000;

float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint16_t rounded(std::uint32_t float_bits) {
  return narrow<bfloat16>(float_of(float_bits)).bits;
}
bool is_nan(std::uint32_t pattern) { return (pattern & 0x7fffU) > 0x7f80U; }

TEST(Bfloat16, EveryPatternSurvivesTheWayThroughFloat) {
  for (std::uint32_t pattern = 0; pattern < pattern_count; ++pattern) {
    const bfloat16 value{static_cast<std::uint16_t>(pattern)};
    const std::uint32_t expected = is_nan(pattern) ? (pattern | 0x40U) : pattern;
    ASSERT_EQ(narrow<bfloat16>(widen(value)).bits, expected) << std::hex << pattern;
    ASSERT_EQ(std::isnan(widen(value)), is_nan(pattern)) << std::hex << pattern;
  }
}

TEST(Bfloat16, EveryPatternRoundsToTheNearestWithTiesToEven) {
  for (std::uint32_t pattern = 0; pattern < pattern_count; ++pattern) {
    if ((pattern & 0x7f80U) == 0x7f80U) continue;  // infinities and NaN have nothing above them
    const std::uint32_t exact = pattern << 16U;
    const std::uint32_t above = pattern + 1;  // away from zero; above the largest lies infinity
    ASSERT_EQ(rounded(exact + 0x7fffU), pattern) << std::hex << pattern;
    ASSERT_EQ(rounded(exact + 0x8000U), pattern % 2 == 0 ? pattern : above) << std::hex << pattern;
    ASSERT_EQ(rounded(exact + 0x8001U), above) << std::hex << pattern;
    ASSERT_EQ(rounded(exact + 0xffffU), above) << std::hex << pattern;
  }
}

TEST(Bfloat16, ANanWithoutUpperPayloadBitsStaysOne) {
  EXPECT_EQ(rounded(0x7f800001U), 0x7fc0U);
  EXPECT_EQ(rounded(0xff80ffffU), 0xffc0U);
}

TEST(Bfloat16, MeansWhatItsBitsSay) {
  EXPECT_EQ(widen(bfloat16{0x3f80}), 1.0F);
  EXPECT_EQ(widen(bfloat16{0xc0a0}), -5.0F);
  EXPECT_EQ(widen(bfloat16{0x0001}), 0x1p-133F);
  EXPECT_EQ(narrow<bfloat16>(3.14159265F).bits, 0x4049);
  EXPECT_EQ(narrow<bfloat16>(std::numeric_limits<float>::max()).bits, 0x7f80);
}

}  // namespace
}  // namespace headroom::kernels
