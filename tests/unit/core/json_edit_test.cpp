// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/core/json_edit.hpp>

#include <gtest/gtest.h>

#include <headroom/core/error.hpp>

namespace headroom {
namespace {

constexpr std::string_view text = R"({
  "a": "x, } \" ]", "list": [ 1, {"b": [true, null]} , "last" ],
  "deep": {"a": {"c": -1.5e3}}, "e\u0061": 7, "empty": [ ], "~/": 1
})";

std::string value_at(std::string_view pointer) {
  const auto span = find_json_value(text, pointer);
  if (!span) return "none";
  return std::string(text.substr(span->begin, span->end - span->begin));
}

TEST(FindJsonValue, GivesTheTextOfAValue) {
  EXPECT_EQ(value_at("/a"), R"("x, } \" ]")");
  EXPECT_EQ(value_at("/list/0"), "1");
  EXPECT_EQ(value_at("/list/1/b"), "[true, null]");
  EXPECT_EQ(value_at("/list/1/b/1"), "null");
  EXPECT_EQ(value_at("/list/2"), "\"last\"");
  EXPECT_EQ(value_at("/deep/a/c"), "-1.5e3");
  EXPECT_EQ(value_at("/deep"), R"({"a": {"c": -1.5e3}})");
  EXPECT_EQ(value_at("/empty"), "[ ]");
  EXPECT_EQ(value_at("/~0~1"), "1");
  EXPECT_EQ(value_at(""), std::string(text));
}

TEST(FindJsonValue, GivesNothingWhereThereIsNone) {
  for (const char* const pointer : {"/b", "/list/3", "/list/x", "/a/b", "/empty/0", "/ea"}) {
    EXPECT_EQ(value_at(pointer), "none") << pointer;
  }
}

TEST(WithJsonItem, AddsAtTheEnd) {
  EXPECT_EQ(with_json_item("{\n  \"h\": [\n    1\n  ]\n}\n", "h", "2"),
            "{\n  \"h\": [\n    1,\n    2\n  ]\n}\n");
  EXPECT_EQ(with_json_item("{\"h\": []}", "h", "2"), "{\"h\": [\n    2\n  ]}");
  EXPECT_EQ(with_json_item("{\n  \"a\": 1\n}\n", "h", "2"),
            "{\n  \"a\": 1,\n  \"h\": [\n    2\n  ]\n}\n");
  EXPECT_THROW(static_cast<void>(with_json_item("{\"h\": 1}", "h", "2")), usage_error);
}

}  // namespace
}  // namespace headroom
