// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// What docs/replay.md shows is what the program prints: each block that begins with "$ headroom" is
// run from the repository's root and compared to the byte.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "run_headroom.hpp"

namespace headroom::cli {
namespace {

struct shown_run {
  std::vector<std::string> arguments;
  std::string output;
};

std::vector<shown_run> runs_in(const std::filesystem::path& file) {
  constexpr std::string_view prompt = "$ headroom ";
  std::ifstream in(file);
  std::vector<shown_run> all;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = false;
    } else if (line.starts_with(prompt)) {
      std::istringstream words(line.substr(prompt.size()));
      shown_run run;
      for (std::string word; words >> word;) run.arguments.push_back(word);
      all.push_back(run);
      inside = true;
    } else if (inside) {
      all.back().output += line + "\n";
    }
  }
  return all;
}

class Documented : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::current_path(HEADROOM_SOURCE_DIR); }
  void TearDown() override { std::filesystem::current_path(before_); }
  const std::filesystem::path before_ = std::filesystem::current_path();
};

TEST_F(Documented, TheRunsOfReplayPrintWhatIsShown) {
  const std::vector<shown_run> runs = runs_in("docs/replay.md");
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(run_headroom(runs[0].arguments).out, runs[0].output);
  EXPECT_EQ(run_headroom(runs[0].arguments).code, exit_code::exceeded);
  EXPECT_EQ(run_headroom(runs[1].arguments).out, runs[1].output);
  EXPECT_EQ(run_headroom(runs[1].arguments).code, exit_code::done);
}

}  // namespace
}  // namespace headroom::cli
