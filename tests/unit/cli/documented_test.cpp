// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// What the pages show is what the program prints: every command behind a "$ " in a block of
// docs/replay.md and docs/command-line.md is run by a shell, one after the other in a folder that
// has the repository's budgets and tests, and compared to the byte, but for dates and hashes.

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/temporary_folder.hpp"
#include "support/without_dates.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

struct shown_run {
  std::string command;
  std::string output;
};

std::vector<shown_run> runs_in(const fs::path& file) {
  std::ifstream in(file);
  std::vector<shown_run> all;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = false;
    } else if (line.starts_with("$ ")) {
      all.push_back({line.substr(2), ""});
      inside = true;
    } else if (inside) {
      all.back().output += line + "\n";
    }
  }
  return all;
}

class Documented : public ::testing::TestWithParam<std::string> {};

TEST_P(Documented, TheRunsPrintWhatIsShown) {
  const fs::path source = HEADROOM_SOURCE_DIR;
  const test::temporary_folder folder;
  for (const char* const name : {"budgets", "tests"}) {
    fs::create_directory_symlink(source / name, folder.path() / name);
  }
  const std::vector<shown_run> runs = runs_in(source / GetParam());
  ASSERT_GE(runs.size(), 2U);
  const fs::path script = folder.path() / "script";
  std::ofstream(script) << "PATH=" << fs::path(HEADROOM_PROGRAM).parent_path().string()
                        << ":$PATH\ncd " << folder.path().string() << "\n";
  std::ofstream out(script, std::ios::app);
  for (const shown_run& run : runs) {
    // The exit code is that of the command before.
    out << "echo '@@@'\n"
        << (run.command == "echo $?" ? std::string("echo $code")
                                     : run.command + " 2>/dev/null\ncode=$?")
        << '\n';
  }
  out.close();
  std::FILE* const pipe = ::popen(("bash '" + script.string() + "'").c_str(), "r");
  std::vector<std::string> printed;
  std::array<char, 4096> block{};
  while (std::fgets(block.data(), block.size(), pipe) != nullptr) {
    const std::string line = block.data();
    if (line == "@@@\n") {
      printed.emplace_back();
    } else {
      printed.back() += line;
    }
  }
  ::pclose(pipe);
  ASSERT_EQ(printed.size(), runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(test::without_dates(printed[i]), test::without_dates(runs[i].output))
        << runs[i].command;
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, Documented,
                         ::testing::Values("docs/replay.md", "docs/command-line.md"),
                         [](const auto& each) {
                           return std::string(each.param.find("replay") == std::string::npos
                                                  ? "command_line"
                                                  : "replay");
                         });

}  // namespace
}  // namespace headroom::cli
