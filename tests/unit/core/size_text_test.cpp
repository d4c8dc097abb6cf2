// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <cstdint>
#include <headroom/core/error.hpp>
#include <headroom/core/size_text.hpp>
#include <limits>
#include <string>

namespace headroom {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

std::int64_t read(std::string_view text) {
  const size_result result = parse_size(text);
  EXPECT_TRUE(result.value.has_value()) << text << ": " << result.found << "; " << result.advice;
  EXPECT_EQ(result.found, "");
  EXPECT_EQ(result.advice, "");
  return result.value ? result.value->n : -1;
}

TEST(ParseSize, EveryUnit) {
  EXPECT_EQ(read("3 B"), 3);
  EXPECT_EQ(read("3 kB"), 3'000);
  EXPECT_EQ(read("3 MB"), 3'000'000);
  EXPECT_EQ(read("3 GB"), 3'000'000'000);
  EXPECT_EQ(read("3 TB"), 3'000'000'000'000);
  EXPECT_EQ(read("3 KiB"), 3'072);
  EXPECT_EQ(read("3 MiB"), 3'145'728);
  EXPECT_EQ(read("3 GiB"), 3'221'225'472);
  EXPECT_EQ(read("3 TiB"), 3'298'534'883'328);
}

TEST(ParseSize, OneSpaceOrNone) {
  EXPECT_EQ(read("4GiB"), 4'294'967'296);
  EXPECT_EQ(read("4 GiB"), 4'294'967'296);
}

TEST(ParseSize, ZeroAndLeadingZerosAreDecimal) {
  EXPECT_EQ(read("0 B"), 0);
  EXPECT_EQ(read("0.000 TiB"), 0);
  EXPECT_EQ(read("010 B"), 10);
  EXPECT_EQ(read(std::string(1000, '0') + "7 B"), 7);
}

TEST(ParseSize, FractionsAreExact) {
  EXPECT_EQ(read("22.5 GB"), 22'500'000'000);
  EXPECT_EQ(read("0.1 GB"), 100'000'000);
  EXPECT_EQ(read("0.1 GiB"), 107'374'182) << "107374182.4";
  EXPECT_EQ(read("13.04 GiB"), 14'001'593'385) << "14001593384.96";
  EXPECT_EQ(read("4503599.627370497 GB"), 4'503'599'627'370'497) << "needs more than a double";
  EXPECT_EQ(read("8796093.022207 TB"), 8'796'093'022'207'000'000);
}

TEST(ParseSize, HalvesGoUp) {
  EXPECT_EQ(read("0.5 B"), 1);
  EXPECT_EQ(read("1.4 B"), 1);
  EXPECT_EQ(read("1.5 B"), 2);
  EXPECT_EQ(read("2.5 B"), 3) << "not to the even neighbour";
  EXPECT_EQ(read("0.0005 kB"), 1);
  EXPECT_EQ(read("1.0004999999999999999999999999999999 kB"), 1000);
  EXPECT_EQ(read("1.0005 kB"), 1001);
  EXPECT_EQ(read("1.00048828125 KiB"), 1025) << "1024.5";
  EXPECT_EQ(read("1.00048828124999999999999999999999999 KiB"), 1024);
  EXPECT_EQ(read("1." + std::string(100'000, '9') + " TiB"), 2'199'023'255'552);
}

TEST(ParseSize, TheLargestValueAndOneMore) {
  EXPECT_EQ(read("9223372036854775807 B"), largest);
  EXPECT_EQ(read("9223372036854775807.4 B"), largest);
  EXPECT_EQ(read("8388607 TiB"), 9'223'370'937'343'148'032);
  for (const char* text :
       {"9223372036854775808 B", "9223372036854775807.5 B", "8388608 TiB", "18446744073709551617 B",
        "9223373 TB", "8388607.9999999999999999 TiB"}) {
    const size_result result = parse_size(text);
    EXPECT_EQ(result.value, std::nullopt) << text;
    EXPECT_EQ(result.found, "size \"" + std::string(text) + "\" is above 9223372036854775807 B");
    EXPECT_EQ(result.advice, "write a smaller size");
  }
}

TEST(SizeFromText, ThrowsWithTextFaultAndAdvice) {
  EXPECT_EQ(size_from_text("24GB"), 24_GB);
  try {
    (void)size_from_text("64 KB");
    FAIL() << "accepted";
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(),
                 "size \"64 KB\": unknown unit \"KB\"; write \"kB\" (1000) or \"KiB\" (1024)");
  }
}

TEST(FormatSize, FiguresOfThePlan) {
  const bytes seven_billion_16_bit{14'000'000'000};
  EXPECT_EQ(format_decimal(seven_billion_16_bit), "14.00 GB");
  EXPECT_EQ(format_binary(seven_billion_16_bit), "13.04 GiB");
  EXPECT_EQ(format_binary(seven_billion_16_bit + 4_GiB), "17.04 GiB");
  EXPECT_EQ(format_binary(seven_billion_16_bit + 6_GiB), "19.04 GiB");
  EXPECT_EQ(format_binary(bytes{7'000'000'000}), "6.52 GiB");
  EXPECT_EQ(format_binary(bytes{7'000'000'000} + 6_GiB), "12.52 GiB");
  EXPECT_EQ(format_binary(bytes{3'500'000'000}), "3.26 GiB");
  EXPECT_EQ(format_binary(bytes{3'500'000'000} + 6_GiB), "9.26 GiB");
  EXPECT_EQ(format_binary(24_GB), "22.35 GiB");
  EXPECT_EQ(format_binary(48_GB), "44.70 GiB");
  EXPECT_EQ(format_binary(bytes{1'073'741'824}), "1.00 GiB");
}

TEST(FormatSize, ChoosesTheUnitAfterRounding) {
  EXPECT_EQ(format_binary(1023_B), "1023 B");
  EXPECT_EQ(format_binary(1024_B), "1.00 KiB");
  EXPECT_EQ(format_binary(bytes{1'048'570}), "1023.99 KiB");
  EXPECT_EQ(format_binary(bytes{1'048'571}), "1.00 MiB") << "1023.995 rounds up";
  EXPECT_EQ(format_binary(bytes{1'048'575}), "1.00 MiB");
  EXPECT_EQ(format_binary(1_TiB - 1_B), "1.00 TiB");
  EXPECT_EQ(format_decimal(999_B), "999 B");
  EXPECT_EQ(format_decimal(bytes{999'994}), "999.99 kB");
  EXPECT_EQ(format_decimal(bytes{999'995}), "1.00 MB");
}

TEST(FormatSize, BordersOfTheRange) {
  EXPECT_EQ(format_binary(bytes{0}), "0 B");
  EXPECT_EQ(format_binary(bytes{largest}), "8388608.00 TiB");
  EXPECT_EQ(format_binary(bytes{lowest}), "-8388608.00 TiB");
  EXPECT_EQ(format_decimal(bytes{largest}), "9223372.04 TB");
  EXPECT_EQ(format_bytes(bytes{lowest}), "-9223372036854775808 B");
}

TEST(FormatSize, NegativesMirrorPositives) {
  EXPECT_EQ(format_binary(-512_B), "-512 B");
  EXPECT_EQ(format_binary(bytes{-1536}), "-1.50 KiB");
  EXPECT_EQ(format_binary(-(1_GiB + 512_MiB)), "-1.50 GiB");
  EXPECT_EQ(format_binary(bytes{-1'048'575}), "-1.00 MiB");
}

TEST(FormatSize, ExactShowsBoth) {
  EXPECT_EQ(format_exact(6_GiB), "6.00 GiB (6442450944 B)");
  EXPECT_EQ(format_exact(512_B), "512 B");
  EXPECT_EQ(size_literal(62914560_B), "60 MiB");
  EXPECT_EQ(size_literal(27279360_B), "26640 KiB");
  EXPECT_EQ(size_literal(27279361_B), "27279361 B");
  EXPECT_EQ(size_literal(0_B), "0 B");
  EXPECT_EQ(format_exact(bytes{-2048}), "-2.00 KiB (-2048 B)");
}

TEST(FormatSize, InOneUnit) {
  EXPECT_EQ(format_in_unit(bytes{14'000'000'000}, "GiB"), "13.04");
  EXPECT_EQ(format_in_unit(bytes{14'000'000'000}, "GB"), "14.00");
  EXPECT_EQ(format_in_unit(512_B, "B"), "512");
  EXPECT_EQ(format_in_unit(bytes{5}, "kB"), "0.01") << "half up";
  EXPECT_EQ(format_in_unit(bytes{4}, "kB"), "0.00");
  EXPECT_EQ(format_in_unit(bytes{-4}, "kB"), "-0.00");
  EXPECT_THROW((void)format_in_unit(1_B, "KB"), usage_error);
}

}  // namespace
}  // namespace headroom
