// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/report/words.hpp>

#include <gmock/gmock.h>

#include <headroom/report/text_table.hpp>

namespace headroom {
namespace {

TEST(WrapColumn, KeepsTheColumnAndTheWidth) {
  EXPECT_EQ(wrap_column("one two three four", 4, 14), "one two\n    three four");
  EXPECT_EQ(wrap_column("", 4), "");
  EXPECT_EQ(wrap_column("averyveryverylongword next", 4, 14), "averyveryverylongword\n    next");
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("plain \"quoted\" back\\slash"), "plain \"quoted\" back\\slash");
  EXPECT_EQ(printable("a\x1b[2J\nb\xff"), "a\\u001b[2J\\nb\\xff");
  EXPECT_EQ(printable(""), "");
}

TEST(SettingsWords, AreThoseOfPytorchAllocConf) {
  EXPECT_EQ(settings_words({}), "defaults");
  EXPECT_EQ(
      settings_words(parse_allocator_settings("max_split_size_mb:64,expandable_segments:True")),
      "max_split_size_mb:64,expandable_segments:True");
}

TEST(TextTable, AlignsColumnsAndLeavesNoBlanksAtTheEnd) {
  text_table table({align::left, align::right, align::left});
  table.add({"name", "size", "note"});
  table.add({"a", "1000", ""});
  table.add({"\xc3\xa9t\xc3\xa9", "7", "x"});
  EXPECT_EQ(table.text(2),
            "  name  size  note\n"
            "  a     1000\n"
            "  \xc3\xa9t\xc3\xa9      7  x\n");
}

}  // namespace
}  // namespace headroom
