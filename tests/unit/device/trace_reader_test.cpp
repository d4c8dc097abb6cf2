// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// What a trace says when it is valid, and that both ways of reading an event agree. The messages
// for what is not valid are in tests/unit/cli/replay_bad_input_test.cpp.

#include <headroom/device/trace_reader.hpp>

#include <gmock/gmock.h>

#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace headroom {
namespace {

constexpr const char* head = "headroom-trace 1\ncapacity 80000000000\n";

/// Everything of a trace, one event a line; the fault in place of the event that has it.
std::vector<std::string> read(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  try {
    trace_reader reader(in, "t");
    while (const std::optional<trace_event> event = reader.next()) {
      std::ostringstream line;
      line << static_cast<char>(event->operation) << ' ' << event->id << ' ' << event->stream.n
           << ' ' << event->size.n << ' ' << name_of(event->what) << " at " << reader.line();
      all.push_back(line.str());
    }
  } catch (const trace_error& fault) {
    all.push_back(fault.problem().message);
  }
  return all;
}

TEST(TraceReader, ReadsEveryEvent) {
  EXPECT_THAT(
      read(std::string(head) + "a 1 0 512\na 2 3 1048576 weights\nu 1 4\ns 4\nf 1\ne\nr\nf 2\n"),
      testing::ElementsAre("a 1 0 512 other at 3", "a 2 3 1048576 weights at 4",
                           "u 1 4 0 other at 5", "s 0 4 0 other at 6", "f 1 0 0 other at 7",
                           "e 0 0 0 other at 8", "r 0 0 0 other at 9", "f 2 0 0 other at 10"));
}

TEST(TraceReader, ReadsTheHeader) {
  std::istringstream in(std::string(head) +
                        "setting max_split_size_mb 64\nsetting expandable_segments True\ne\n");
  trace_reader reader(in, "t");
  EXPECT_EQ(reader.header().capacity, 80_GB);
  EXPECT_EQ(reader.header().settings.max_split_size, 64_MiB);
  EXPECT_TRUE(reader.header().settings.expandable_segments);
  EXPECT_TRUE(reader.next());
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
}

TEST(TraceReader, AllTagsAreRead) {
  for (const tag each : all_tags) {
    const std::string line = "a 1 0 512 " + std::string(name_of(each)) + "\n";
    EXPECT_THAT(read(head + line),
                testing::ElementsAre("a 1 0 512 " + std::string(name_of(each)) + " at 3"));
  }
}

TEST(TraceReader, LinesAcrossTheBuffersEndAreWhole) {
  std::string text = head;
  for (int i = 0; i < 20'000; ++i) text += "a " + std::to_string(i * 1'000'003L) + " 0 512\n";
  const std::vector<std::string> all = read(text);
  ASSERT_EQ(all.size(), 20'000U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i],
              "a " + std::to_string(i * 1'000'003) + " 0 512 other at " + std::to_string(i + 3));
  }
}

/// The line read the long way: as the first event it is not plain.
std::string read_long(const std::string& line) { return read(head + line + "\n").at(0); }

/// The line read the short way: enough text follows it.
std::string read_short(const std::string& line) {
  std::string text = std::string(head) + "e\n" + line + "\n";
  for (int i = 0; i < 100; ++i) text += "e\n";
  return read(text).at(1);
}

std::string without_line(const std::string& event) { return event.substr(0, event.find(" at ")); }

TEST(TraceReader, BothWaysOfReadingAgreeOnOddLines) {
  for (const char* const line : {"a 1 0 512",
                                 "a 18446744073709551615 4294967295 9223372036854775807",
                                 "a 18446744073709551616 0 512",
                                 "a 1 4294967296 512",
                                 "a 1 0 9223372036854775808",
                                 "a 999999999999999999 0 1",
                                 "a 9999999999999999999 0 1",
                                 "a 000000000000000000000001 0 1",
                                 "a 1 0 512 ",
                                 "a 1 0 512 weights",
                                 "a 1 0 512 weights ",
                                 "a 1 0 512 weight",
                                 "a 1 0 512 kv_cache",
                                 "a 1 0 512 aaaaaaaaaaaaaaaaaaaaaaaa",
                                 "a 1 0 512 weights x",
                                 "a  1 0 512",
                                 "a 1 0 -1",
                                 "a 1 0 +1",
                                 "a 1 0 0x10",
                                 "a 1 0",
                                 "a",
                                 "a ",
                                 "f",
                                 "f ",
                                 "f 1",
                                 "f 1 ",
                                 "f 1 2",
                                 "u 1 2",
                                 "u 1",
                                 "u 1 2 3",
                                 "s 1",
                                 "s",
                                 "s 4294967296",
                                 "e",
                                 "e ",
                                 "e 1",
                                 "r",
                                 "r 1",
                                 "x",
                                 "x 1",
                                 "ab 1 0 512",
                                 "",
                                 " a 1 0 512",
                                 "a\t1 0 512",
                                 "a 1 0 512\r",
                                 "e\r",
                                 "# a comment"}) {
    if (std::string(line) == "# a comment") continue;  // no event at all
    EXPECT_EQ(without_line(read_short(line)), without_line(read_long(line))) << line;
  }
}

TEST(TraceReader, BothWaysOfReadingAgreeOnRandomLines) {
  std::mt19937 random(7);
  const std::string letters = "afuser  0123456789999999-w_g\r";
  for (int i = 0; i < 20'000; ++i) {
    std::string line;
    const std::size_t length = random() % 28;
    while (line.size() < length) line += letters[random() % letters.size()];
    ASSERT_EQ(without_line(read_short(line)), without_line(read_long(line))) << line;
  }
}

TEST(TraceReader, AFaultNamesFileAndLine) {
  std::istringstream in(std::string(head) + "a 1 0 512\nq\n");
  trace_reader reader(in, "runs/a.trace");
  EXPECT_TRUE(reader.next());
  try {
    (void)reader.next();
    FAIL() << "an unknown event was accepted";
  } catch (const trace_error& fault) {
    EXPECT_EQ(fault.problem().file, "runs/a.trace");
    EXPECT_EQ(fault.problem().line, 4);
  }
}

TEST(TraceReader, ABrokenInputIsNotTheEnd) {
  std::istringstream in(std::string(head) + "a 1 0 512\n");
  trace_reader reader(in, "t");
  EXPECT_TRUE(reader.next());
  in.setstate(std::ios::badbit);
  EXPECT_THROW((void)reader.next(), trace_error);
}

}  // namespace
}  // namespace headroom
