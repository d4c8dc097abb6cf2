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

TEST(ReplaceFile, PutsTheTextInPlaceAndKeepsTheMode) {
  const temporary_folder folder;
  const auto file = folder.path() / "a.json";
  std::ofstream(file) << "before";
  std::filesystem::permissions(file, std::filesystem::perms::owner_read |
                                         std::filesystem::perms::owner_write |
                                         std::filesystem::perms::group_write);
  const auto mode = std::filesystem::status(file).permissions();
  std::filesystem::create_symlink(file, folder.path() / "link.json");
  replace_file(folder.path() / "link.json", "before", "after");
  EXPECT_EQ(text_of(file), "after");
  EXPECT_EQ(std::filesystem::status(file).permissions(), mode);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link.json"));
  EXPECT_EQ(names_in(folder.path()).size(), 2U);
}

TEST(ReplaceFile, AFileThatChangedMeanwhileStaysAsItIs) {
  const temporary_folder folder;
  const auto file = folder.path() / "a.json";
  for (const char* const now : {"others", "before and more", "bef"}) {
    std::ofstream(file, std::ios::trunc) << now;
    EXPECT_THROW(replace_file(file, "before", "after"), output_error);
    EXPECT_EQ(text_of(file), now);
  }
  EXPECT_THROW(replace_file(folder.path() / "none.json", "before", "after"), output_error);
  EXPECT_EQ(names_in(folder.path()).size(), 1U);
}

}  // namespace
}  // namespace headroom
