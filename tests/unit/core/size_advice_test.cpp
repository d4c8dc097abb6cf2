// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <headroom/core/size_text.hpp>
#include <string>
#include <vector>

namespace headroom {
namespace {

struct bad_size {
  std::string text;
  std::string found;
  std::string advice;
};

void expect_faults(const std::vector<bad_size>& cases) {
  for (const bad_size& expected : cases) {
    const size_result result = parse_size(expected.text);
    EXPECT_EQ(result.value, std::nullopt) << expected.text;
    EXPECT_EQ(result.found, expected.found);
    EXPECT_EQ(result.advice, expected.advice) << expected.found;
  }
}

const std::string example = "write a number and a unit, for example \"4 GiB\"";
const std::string units = "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB";

TEST(BadSize, Units) {
  expect_faults(
      {bad_size{"64 KB", "unknown unit \"KB\"", "write \"kB\" (1000) or \"KiB\" (1024)"},
       bad_size{"64K", "unknown unit \"K\"", "write \"kB\" (1000) or \"KiB\" (1024)"},
       bad_size{"64 kb", "unknown unit \"kb\"", "write \"kB\" (1000) or \"KiB\" (1024)"},
       bad_size{"64 M", "unknown unit \"M\"", "write \"MB\" (1000^2) or \"MiB\" (1024^2)"},
       bad_size{"4 G", "unknown unit \"G\"", "write \"GB\" (1000^3) or \"GiB\" (1024^3)"},
       bad_size{"4 gb", "unknown unit \"gb\"", "write \"GB\" (1000^3) or \"GiB\" (1024^3)"},
       bad_size{"4 Gb", "unknown unit \"Gb\"", "write \"GB\" (1000^3) or \"GiB\" (1024^3)"},
       bad_size{"4 gigabytes", "unknown unit \"gigabytes\"",
                "write \"GB\" (1000^3) or \"GiB\" (1024^3)"},
       bad_size{"4 T", "unknown unit \"T\"", "write \"TB\" (1000^4) or \"TiB\" (1024^4)"},
       bad_size{"4 Gi", "unknown unit \"Gi\"", "write \"GiB\" (1024^3)"},
       bad_size{"4 gib", "unknown unit \"gib\"", "write \"GiB\" (1024^3)"},
       bad_size{"4 kiB", "unknown unit \"kiB\"", "write \"KiB\" (1024)"},
       bad_size{"4 mebibytes", "unknown unit \"mebibytes\"", "write \"MiB\" (1024^2)"},
       bad_size{"4 b", "unknown unit \"b\"", "write \"B\" (bytes)"},
       bad_size{"4 bytes", "unknown unit \"bytes\"", "write \"B\" (bytes)"},
       bad_size{"4 PB", "unknown unit \"PB\"", "write it in \"TB\""},
       bad_size{"4 PiB", "unknown unit \"PiB\"", "write it in \"TiB\""},
       bad_size{"4 pages", "unknown unit \"pages\"", "write one of " + units},
       bad_size{"64", "no unit in \"64\"", "write \"64 B\" for bytes, or a unit of " + units},
       bad_size{"64 ", "no unit in \"64 \"", "write \"64 B\" for bytes, or a unit of " + units}});
}

TEST(BadSize, Numbers) {
  expect_faults(
      {bad_size{"", "empty text", example},
       bad_size{"-4 GiB", "negative size \"-4 GiB\"", "write a size of \"0 B\" or more"},
       bad_size{"-0 B", "negative size \"-0 B\"", "write a size of \"0 B\" or more"},
       bad_size{"+4 GiB", "sign in \"+4 GiB\"", "write \"4 GiB\""},
       bad_size{"+", "sign in \"+\"", example},
       bad_size{"NaN", "\"NaN\" is not a number of bytes", example},
       bad_size{"nan GiB", "\"nan GiB\" is not a number of bytes", example},
       bad_size{"Infinity", "\"Infinity\" is not a number of bytes", example},
       bad_size{"inf B", "\"inf B\" is not a number of bytes", example},
       bad_size{"unlimited", "\"unlimited\" is not a number of bytes", example},
       bad_size{"1e9 B", "exponent in \"1e9 B\"", "write all digits and a unit"},
       bad_size{"1.5E+3 kB", "exponent in \"1.5E+3 kB\"", "write all digits and a unit"},
       bad_size{"0x10 B", "hexadecimal number in \"0x10 B\"", "write a decimal number and a unit"},
       bad_size{".5 GiB", "no digit before the point in \".5 GiB\"", "write \"0.5 GiB\""},
       bad_size{"5. GiB", "no digit behind the point in \"5. GiB\"", "write \"5 GiB\""},
       bad_size{". GiB", "\". GiB\" is not a size", example},
       bad_size{"GiB", "\"GiB\" is not a size", example},
       bad_size{"envelop", "\"envelop\" is not a size", example},
       bad_size{"1.5.2 GiB", "\"1.5.2 GiB\" is not a size", example},
       bad_size{"1,024 MiB", "separator between digits in \"1,024 MiB\"",
                "write \"1024 MiB\", or \"1.024 MiB\" if a fraction is meant"},
       bad_size{"1,048,576 B", "separator between digits in \"1,048,576 B\"",
                "write \"1048576 B\""},
       bad_size{"1_000 kB", "separator between digits in \"1_000 kB\"", "write \"1000 kB\""},
       bad_size{"1'000 kB", "separator between digits in \"1'000 kB\"", "write \"1000 kB\""},
       bad_size{"1 000 kB", "separator between digits in \"1 000 kB\"", "write \"1000 kB\""},
       bad_size{"4,5 GiB", "decimal comma in \"4,5 GiB\"", "write \"4.5 GiB\""},
       bad_size{"1.5,5 GiB", "\"1.5,5 GiB\" is not a size", example},
       bad_size{"0.4 B", "size \"0.4 B\" is less than half a byte", "write \"0 B\" or \"1 B\""},
       bad_size{"0.0000000000000001 GiB",
                "size \"0.0000000000000001 GiB\" is less than half a byte",
                "write \"0 B\" or \"1 B\""}});
}

TEST(BadSize, TextAround) {
  expect_faults(
      {bad_size{" 4 GiB", "space before the number in \" 4 GiB\"", "start with the number"},
       bad_size{"4 GiB ", "text behind the unit in \"4 GiB \"", "write \"4 GiB\""},
       bad_size{"4 GiB and more", "text behind the unit in \"4 GiB and more\"", "write \"4 GiB\""},
       bad_size{"4 GiB/s", "text behind the unit in \"4 GiB/s\"", "write \"4 GiB\""},
       bad_size{"4  GiB", "several spaces between number and unit in \"4  GiB\"",
                "write \"4 GiB\""},
       bad_size{"4\tGiB", "a tab between number and unit in \"4\\tGiB\"", "write \"4 GiB\""},
       bad_size{std::string("4 GiB\0", 6), "text behind the unit in \"4 GiB\\u0000\"",
                "write \"4 GiB\""},
       bad_size{"4 \xFFGiB", "\"4 \\xffGiB\" is not a size", example},
       bad_size{"4 \x1B[31mGiB", "\"4 \\u001b[31mGiB\" is not a size", example},
       bad_size{std::string(70, 'G'), '"' + std::string(60, 'G') + "...\" (70 bytes) is not a size",
                example},
       bad_size{std::string(1'000'000, '+'),
                "sign in \"" + std::string(60, '+') + "...\" (1000000 bytes)", example}});
}

}  // namespace
}  // namespace headroom
