// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <headroom/core/json_document.hpp>
#include <string>
#include <vector>

namespace headroom {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> faults(std::string_view text, const json_limits& limits = {}) {
  std::vector<std::string> lines;
  for (const file_problem& problem : parse_json(text, "f", limits).problems) {
    lines.push_back(problem.text());
  }
  return lines;
}

TEST(JsonDocument, KeepsKindsTextsLinesAndOrder) {
  const json_result result = parse_json(
      "{\n"
      "  \"z\": 1,\n"
      "  \"a\": [true, false,\n"
      "        null, \"text\\u00e9\"],\n"
      "  \"o\": {\"n\": -2.50e+3}\n"
      "}\n",
      "f");
  ASSERT_THAT(result.problems, IsEmpty());
  const json_node& root = *result.document;
  ASSERT_EQ(root.kind, json_kind::object);
  EXPECT_EQ(root.line, 1);
  EXPECT_EQ(root.pointer(), "");
  ASSERT_EQ(root.children.size(), 3U);
  EXPECT_EQ(root.children[0].key, "z");
  EXPECT_EQ(root.children[0].kind, json_kind::number);
  EXPECT_EQ(root.children[0].text, "1");
  EXPECT_EQ(root.children[0].line, 2);
  const json_node& array = root.children[1];
  ASSERT_EQ(array.children.size(), 4U);
  EXPECT_EQ(array.line, 3);
  EXPECT_TRUE(array.children[0].truth);
  EXPECT_EQ(array.children[1].kind, json_kind::boolean);
  EXPECT_FALSE(array.children[1].truth);
  EXPECT_EQ(array.children[2].kind, json_kind::null);
  EXPECT_EQ(array.children[2].line, 4);
  EXPECT_EQ(array.children[3].text, "text\xC3\xA9");
  EXPECT_EQ(array.children[3].pointer(), "/a/3");
  const json_node* number = root.find("o")->find("n");
  ASSERT_NE(number, nullptr);
  EXPECT_EQ(number->text, "-2.50e+3");
  EXPECT_EQ(number->pointer(), "/o/n");
  EXPECT_EQ(root.find("missing"), nullptr);
}

TEST(JsonDocument, ANumbersLineIsItsOwnAtTheEndOfALine) {
  const json_result result = parse_json("[1\n,22\n\n,3]", "f");
  ASSERT_NE(result.document, nullptr);
  EXPECT_EQ(result.document->children[0].line, 1);
  EXPECT_EQ(result.document->children[1].line, 2);
  EXPECT_EQ(result.document->children[1].text, "22");
  EXPECT_EQ(result.document->children[2].line, 4);
}

TEST(JsonDocument, NumbersKeepEveryDigit) {
  const json_result result = parse_json(
      "[9223372036854775807,-9223372036854775808,18446744073709551615,-0,1.0,1e2,"
      "12345678901234567890123456789]",
      "f");
  ASSERT_NE(result.document, nullptr);
  const auto& items = result.document->children;
  EXPECT_EQ(items[0].integer(), INT64_MAX);
  EXPECT_EQ(items[1].integer(), INT64_MIN);
  EXPECT_EQ(items[2].integer(), std::nullopt);
  EXPECT_EQ(items[2].unsigned_integer(), UINT64_MAX);
  EXPECT_EQ(items[1].unsigned_integer(), std::nullopt);
  EXPECT_EQ(items[3].text, "-0");
  EXPECT_EQ(items[3].integer(), 0);
  EXPECT_EQ(items[4].integer(), std::nullopt) << "a fraction is written";
  EXPECT_EQ(items[5].integer(), std::nullopt) << "an exponent is written";
  EXPECT_EQ(items[6].text, "12345678901234567890123456789");
  EXPECT_EQ(items[6].integer(), std::nullopt);
  EXPECT_EQ(parse_json("7", "f").document->text, "7") << "nothing behind it";
}

TEST(JsonDocument, FoundSaysWhatStandsThere) {
  const json_result result = parse_json("[{}, [], \"a\\\"b\", 12, true, false, null]", "f");
  std::vector<std::string> found;
  for (const json_node& item : result.document->children) found.push_back(item.found());
  EXPECT_THAT(found, ElementsAre("an object", "an array", "the text \"a\\\"b\"", "the number 12",
                                 "true", "false", "null"));
}

TEST(JsonDocument, PointersEscapeAndCut) {
  EXPECT_EQ(pointer_step("a/b~c"), "a~1b~0c");
  EXPECT_EQ(pointer_step("a\nb"), "a\\nb");
  EXPECT_EQ(pointer_step(std::string(100, 'k')), std::string(60, 'k') + "...");
}

TEST(JsonDocument, DoubledKeysAreAllReported) {
  const json_result result = parse_json(
      "{\"a\": 1,\n"
      " \"a\": {\"b\": 1, \"b\": {\"b\": 2}},\n"
      " \"c\": [{\"d\": 1,\n"
      "         \"d\": 2}]}",
      "f");
  std::vector<std::string> lines;
  for (const file_problem& problem : result.problems) lines.push_back(problem.text());
  EXPECT_THAT(lines,
              ElementsAre("f:2: /a: key \"a\" stands a second time, first in line 1; remove one",
                          "f:2: /a/b: key \"b\" stands a second time, first in line 2; remove one",
                          "f:4: /c/0/d: key \"d\" stands a second time, first in line 3; remove "
                          "one"));
  ASSERT_NE(result.document, nullptr);
  EXPECT_EQ(result.document->find("a")->text, "1") << "the first stays";
  EXPECT_EQ(result.document->children.size(), 2U);
}

TEST(JsonDocument, KeysThatDifferInEscapesOnlyAreDoubled) {
  EXPECT_THAT(faults(R"({"a": 1, "\u0061": 2})"),
              ElementsAre("f:1: /a: key \"a\" stands a second time, first in line 1; remove one"));
}

TEST(JsonDocument, SyntaxFaults) {
  const std::string cut = "; is it cut off?";
  EXPECT_THAT(faults(""), ElementsAre("f: the file is empty; write one JSON object"));
  EXPECT_THAT(faults(" \n\t "), ElementsAre("f: the file is empty; write one JSON object"));
  EXPECT_THAT(faults("{\n\"a\": [1,\n2"),
              ElementsAre("f:3: /a: the file ends inside the array that begins in line 2" + cut));
  EXPECT_THAT(faults("{\"a\": \"tex"),
              ElementsAre("f:1: /a: the file ends inside the object that begins in line 1" + cut));
  EXPECT_THAT(faults("tru"), ElementsAre("f:1: the file ends inside the document" + cut));
  EXPECT_THAT(faults("{}\n\nrest {\n"),
              ElementsAre("f:3: text behind the end of the document, from \"rest {\"; remove it"));
  EXPECT_THAT(faults("{}{}"),
              ElementsAre("f:1: text behind the end of the document, from \"{}\"; remove it"));
  EXPECT_THAT(faults("{} \n\"abc\""),
              ElementsAre("f:2: text behind the end of the document, from \"\\\"abc\\\"\"; "
                          "remove it"));
  EXPECT_THAT(faults("01"),
              ElementsAre("f:1: text behind the end of the document, from \"1\"; remove it"));
  EXPECT_THAT(faults("12,3"),
              ElementsAre("f:1: text behind the end of the document, from \",3\"; remove it"));
  EXPECT_THAT(faults("{\"a\": NaN}"),
              ElementsAre("f:1: /a: \"NaN\" is not JSON; write a finite value"));
  EXPECT_THAT(faults("[-Infinity]"),
              ElementsAre("f:1: \"Infinity\" is not JSON; write a finite value"));
  EXPECT_THAT(faults("[True]"), ElementsAre("f:1: \"True\" is not JSON; write true"));
  EXPECT_THAT(faults("[None]"), ElementsAre("f:1: \"None\" is not JSON; write null"));
  EXPECT_THAT(faults("{name: 1}"),
              ElementsAre("f:1: \"name\" without quotes; write \"\\\"name\\\"\""));
  EXPECT_THAT(faults("{\"a\": 1,\n}"), ElementsAre("f:2: a comma before \"}\"; remove the comma"));
  EXPECT_THAT(faults("[1, ]"), ElementsAre("f:1: a comma before \"]\"; remove the comma"));
  EXPECT_THAT(faults("{\"a\": }"), ElementsAre("f:1: /a: no value before \"}\"; write one"));
  EXPECT_THAT(faults("{'a': 1}"), ElementsAre("f:1: a single quote; write double quotes"));
  EXPECT_THAT(faults("{} // c"), ElementsAre("f:1: text behind the end of the document, from "
                                             "\"// c\"; remove it"));
  EXPECT_THAT(faults("{ // c\n}"), ElementsAre("f:1: JSON has no comments; remove it"));
  EXPECT_THAT(faults("[+1]"), ElementsAre("f:1: a plus sign; write the number without it"));
  EXPECT_THAT(faults("[1e999]"),
              ElementsAre("f:1: number \"1e999\" is out of range; write a smaller one"));
  EXPECT_THAT(faults("{\"a\": \"text\n\"}"),
              ElementsAre("f:1: /a: a text does not end in its line; close it with a quote"));
  EXPECT_THAT(faults("[\"a\tb\"]"),
              ElementsAre("f:1: a control character inside a text; write it as an escape, \\t for "
                          "a tab"));
  EXPECT_THAT(faults("[\"C:\\dir\"]"),
              ElementsAre("f:1: an escape that JSON does not have; write \\\\ for a backslash, \\u "
                          "and four digits for a character"));
  EXPECT_THAT(faults("[1 23]"),
              ElementsAre("f:1: unexpected \"23\" in the array that begins in line 1; look for a "
                          "missing comma, colon, quote or bracket"));
  EXPECT_THAT(faults("{\"a\" ,1}"),
              ElementsAre("f:1: /a: unexpected \",\" in the object that begins in line 1; look for "
                          "a missing comma, colon, quote or bracket"));
  EXPECT_THAT(faults("{\"a\": 1 \"b\": 2}"),
              ElementsAre("f:1: unexpected \"\\\"b\\\"\" in the object that begins in line 1; look "
                          "for a missing comma, colon, quote or bracket"));
}

TEST(JsonDocument, TextThatIsNotUtf8) {
  EXPECT_THAT(faults("{\n\"a\": \"\xFF\"}"),
              ElementsAre("f:2: byte 0xff at offset 8 is not UTF-8; save the file as UTF-8"));
  EXPECT_THAT(faults(std::string("\xFF\xFE{\0", 4)),
              ElementsAre("f:1: the file is UTF-16; save it as UTF-8"));
  EXPECT_THAT(faults(std::string("{}\0", 3)),
              ElementsAre("f:1: a NUL byte at offset 2; save the file as text in UTF-8"))
      << "the parser takes a NUL for the end of the text";
  EXPECT_THAT(faults("[\"\\ud800\"]"),
              ElementsAre("f:1: an escape that JSON does not have; write \\\\ for a backslash, \\u "
                          "and four digits for a character"));
}

TEST(JsonDocument, AByteOrderMarkIsReportedAndTheRestRead) {
  const json_result result = parse_json("\xEF\xBB\xBF{\"a\": 1, \"a\": 2}", "f");
  ASSERT_EQ(result.problems.size(), 2U);
  EXPECT_EQ(result.problems[0].text(),
            "f:1: the file starts with a byte order mark; save it as UTF-8 without");
  EXPECT_NE(result.document, nullptr);
}

TEST(JsonDocument, BordersOfDepthValuesAndBytes) {
  json_limits limits;
  limits.depth = 3;
  EXPECT_THAT(faults("[[[1]]]", limits), IsEmpty());
  EXPECT_THAT(faults("[[\n[[1]]]]", limits),
              ElementsAre("f:2: /0/0: nested deeper than 3 levels; is it the right file?"));
  EXPECT_THAT(faults(std::string(1'000'000, '[')),
              ElementsAre(::testing::HasSubstr("nested deeper than 32 levels")));
  limits.values = 4;
  EXPECT_THAT(faults("[1,2,3]", limits), IsEmpty());
  EXPECT_THAT(faults("[1,2,3,4]", limits),
              ElementsAre("f:1: more than 4 values; is it the right file?"));
  limits.bytes = 4;
  EXPECT_THAT(faults("[12]", limits), IsEmpty());
  EXPECT_THAT(faults("[123]", limits),
              ElementsAre("f: the text has more than 4 B; is it the right file?"));
}

}  // namespace
}  // namespace headroom
