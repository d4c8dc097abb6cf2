// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <headroom/core/json_document.hpp>
#include <string>

namespace headroom {
namespace {

namespace fs = std::filesystem;

class TextFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path write(const char* name, std::string_view text) const {
    const fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static std::string refusal(const fs::path& path, std::size_t most = 100) {
    const text_file file = read_text_file(path, most);
    EXPECT_EQ(file.text, std::nullopt);
    if (file.problems.size() != 1) return "not one problem";
    EXPECT_EQ(file.problems[0].file, path.string());
    return file.problems[0].message;
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("headroom_text_file_" + std::to_string(::getpid()));
};

TEST_F(TextFile, ReadsEveryByte) {
  const std::string text("a\r\n\0b\n", 6);
  const text_file file = read_text_file(write("plain", text), 6);
  EXPECT_EQ(file.text, text);
  EXPECT_TRUE(file.problems.empty());
  EXPECT_EQ(read_text_file(write("empty", ""), 6).text, "");
}

TEST_F(TextFile, ReadsMoreThanOneStep) {
  const std::string text(200'000, 'x');
  EXPECT_EQ(read_text_file(write("long", text), text.size()).text, text);
}

TEST_F(TextFile, RefusesOneByteTooMany) {
  EXPECT_EQ(refusal(write("large", std::string(101, 'x'))),
            "the file has more than 100 B; is it the right file?");
}

TEST_F(TextFile, RefusesWhatIsNoFile) {
  EXPECT_EQ(refusal(folder_), "this is a directory; give the path of a file");
  EXPECT_EQ(refusal(folder_ / "missing"), "there is no such file; give the path of a file");
  EXPECT_EQ(refusal("/dev/zero"), "this is not a regular file; give the path of a file");
}

TEST_F(TextFile, DoesNotWaitForTheWriterOfAPipe) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal(pipe), "this is not a regular file; give the path of a file");
}

TEST_F(TextFile, SaysWhyAFileCannotBeOpened) {
  const fs::path path = write("closed", "x");
  fs::permissions(path, fs::perms::none);
  constexpr ::uid_t nobody = 65534;  // root opens every file
  const bool root = ::geteuid() == 0;
  if (root) {
    ASSERT_EQ(::seteuid(nobody), 0);
  }
  const std::string message = refusal(path);
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_EQ(message, "cannot be opened: Permission denied");
}

}  // namespace
}  // namespace headroom
