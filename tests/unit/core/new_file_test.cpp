// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <headroom/core/error.hpp>
#include <headroom/core/new_file.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

namespace headroom {
namespace {

using test::temporary_folder;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

std::string refusal_of(const std::filesystem::path& file) {
  try {
    write_new_file(file, "second", "advice stands here");
  } catch (const output_error& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(WriteNewFile, WritesWholeAndReplacesNothing) {
  const temporary_folder folder;
  const std::filesystem::path file = folder.path() / "a.json";
  write_new_file(file, "first");
  EXPECT_EQ(text_of(file), "first");
  EXPECT_EQ(refusal_of(file), file.string() +
                                  ": exists, and is not overwritten; give another name or move it "
                                  "away");
  EXPECT_EQ(text_of(file), "first");
  EXPECT_THAT(names_in(folder.path()), testing::ElementsAre("a.json"));
}

TEST(WriteNewFile, AFolderInItsPlaceIsNotReplaced) {
  const temporary_folder folder;
  std::filesystem::create_directory(folder.path() / "a.json");
  EXPECT_THAT(refusal_of(folder.path() / "a.json"), testing::HasSubstr("is not overwritten"));
  EXPECT_THAT(names_in(folder.path()), testing::ElementsAre("a.json"));
}

TEST(WriteNewFile, AFolderThatIsNotThereIsAnErrorThatSaysWhatToDo) {
  const temporary_folder folder;
  const std::filesystem::path file = folder.path() / "missing" / "a.json";
  EXPECT_EQ(refusal_of(file), file.string() +
                                  ": cannot be written: No such file or directory; advice stands "
                                  "here");
}

}  // namespace
}  // namespace headroom
