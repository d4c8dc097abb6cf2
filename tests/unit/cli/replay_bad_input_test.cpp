// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// Traces and options that are not valid: one message with file, line, what was found and what to
// write instead, exit code 3, nothing on standard output.

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "run_headroom.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace headroom::cli {
namespace {

using test::expect_golden;

constexpr const char* head = "headroom-trace 1\ncapacity 80000000000\n";

struct bad_trace {
  const char* name;
  std::string text;
};

std::string repeated(const std::string& line, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line;
  return text;
}

std::vector<bad_trace> bad_traces() {
  using namespace std::string_literals;
  const std::string begin = head;
  return {
      {"empty_file", ""},
      {"wrong_first_line", "headroom-trace 2\ncapacity 1000000\n"},
      {"not_a_trace", "{\"schema\": \"headroom-artifact/1\"}\n"},
      {"unknown_event", begin + "a 1 0 512\nx 1\n"},
      {"unknown_tag", begin + "a 1 0 512 wieghts\n"},
      {"id_used_twice", begin + "a 1 0 512\na 1 0 512\n"},
      {"freed_twice", begin + "a 1 0 512\nf 1\nf 1\n"},
      {"never_allocated", begin + "f 7\n"},
      {"used_after_free", begin + "a 1 0 512\nf 1\nu 1 2\n"},
      {"negative_bytes", begin + "a 1 0 -512\n"},
      {"overflowing_bytes", begin + "a 1 0 9223372036854775808\n"},
      {"bytes_missing", begin + "a 1 0\n"},
      {"bytes_with_unit", begin + "a 1 0 512B\n"},
      {"text_behind", begin + "f 1 2\n"},
      {"stream_overflows", begin + "a 1 4294967296 512\n"},
      {"two_blanks", begin + "a  1 0 512\n"},
      {"missing_capacity", "headroom-trace 1\na 1 0 512\n"},
      {"no_events_no_capacity", "headroom-trace 1\n"},
      {"zero_capacity", "headroom-trace 1\ncapacity 0\n"},
      {"capacity_with_unit", "headroom-trace 1\ncapacity 24GB\n"},
      {"second_capacity", "headroom-trace 1\ncapacity 5000000\ncapacity 6000000\n"},
      {"late_setting", begin + "a 1 0 512\nsetting expandable_segments True\n"},
      {"unknown_setting", begin + "setting expandible_segments True\n"},
      {"bad_setting_value", begin + "setting max_split_size_mb lots\n"},
      {"contradictory_setting",
       begin + "setting expandable_segments True\nsetting expandable_segments False\n"},
      {"million_blank_lines", begin + repeated("\n", 1'000'000)},
      {"blank_lines_first", repeated("\n", 1'000'000)},
      {"line_of_10_mb", begin + std::string(10'000'000, 'a') + "\n"},
      {"line_of_10_mb_without_end", begin + std::string(10'000'000, '7')},
      {"crlf", "headroom-trace 1\r\ncapacity 80000000000\r\na 1 0 512\r\n"},
      {"crlf_later", begin + "a 1 0 512\r\n"},
      {"crlf_in_capacity", "headroom-trace 1\ncapacity 80000000000\r\n"},
      {"nul_bytes", begin + "a 1\0 0 512\n"s},
      {"only_nul_bytes", std::string(100, '\0') + "\n"},
      {"truncated_last_line", begin + "a 1 0 512\nf 1\na 2 0 51"},
      {"truncated_capacity", "headroom-trace 1\ncapacity 800"},
      {"not_utf8", begin + "a \xff\xfe 0 512\n"},
      {"terminal_codes", begin + "\x1b[2J\x1b[1;1H\n"},
  };
}

class BadTrace : public ::testing::TestWithParam<bad_trace> {};

TEST_P(BadTrace, IsOneMessageAndExitThree) {
  const test::temporary_folder folder;
  const std::filesystem::path file = folder.path() / "bad.trace";
  std::ofstream(file, std::ios::binary) << GetParam().text;
  const ended got = run_headroom({"replay", file.string()});
  EXPECT_EQ(got.code, exit_code::invalid_input);
  EXPECT_EQ(got.out, "");
  EXPECT_EQ(std::count(got.err.begin(), got.err.end(), '\n'), 1);
  EXPECT_LT(got.err.size(), 400U);
  expect_golden(std::string("cli/bad_trace/") + GetParam().name + ".txt",
                without_folder(got.err, folder.path().string()));
  // From standard input it is the same fault.
  const ended piped = run_headroom({"replay", "-"}, GetParam().text);
  EXPECT_EQ(piped.code, exit_code::invalid_input);
  EXPECT_EQ(without_folder(piped.err, "standard input"), without_folder(got.err, file.string()));
}

INSTANTIATE_TEST_SUITE_P(Each, BadTrace, ::testing::ValuesIn(bad_traces()),
                         [](const auto& each) { return std::string(each.param.name); });

std::string refusal_of(const std::vector<std::string>& arguments) {
  return refusal("replay", arguments, std::string(head) + "a 1 0 512\n");
}

TEST(ReplayOptions, EveryWrongOneSaysWhatToWrite) {
  std::string all;
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"-", "--device", "plan:24"},
      {"-", "--device", "plan:-24GB"},
      {"-", "--device", "plan:0GB"},
      {"-", "--device", "24GB"},
      {"-", "--device", "cuda:0"},
      {"-", "--device", "cpu"},
      {"-", "--device", "auto"},
      {"-", "--allocator", "expandible_segments:True"},
      {"-", "--allocator", "max_split_size_mb:nan"},
      {"-", "--try-settings", "garbage_collection_threshold:7"},
      {"-", "--events", "--json"},
      {"-", "--events", "--try-settings", "expandable_segments:True"},
      {"-", "--no-serach"},
      {"/nowhere/at/all.trace"},
      {"/"},
  };
  for (const auto& arguments : wrong) all += refusal_of(arguments);
  expect_golden("cli/replay_wrong_options.txt", all);
}

TEST(ReplayOptions, AFaultInTheMiddleLeavesTheLinesBeforeIt) {
  const ended got = run_headroom({"replay", "-", "--events"}, std::string(head) + "a 1 0 512\nq\n");
  EXPECT_EQ(got.code, exit_code::invalid_input);
  EXPECT_EQ(std::count(got.out.begin(), got.out.end(), '\n'), 2);
}

}  // namespace
}  // namespace headroom::cli
