// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace headroom::test {

/// Compares a whole text with tests/golden/NAME. With HEADROOM_UPDATE_GOLDEN=1 the file is written,
/// and the test fails all the same, so that an update never passes unseen.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests" / "golden" / name;
  if (std::getenv("HEADROOM_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    ADD_FAILURE() << "wrote " << file << "; read it, then run again without HEADROOM_UPDATE_GOLDEN";
    return;
  }
  std::ifstream in(file, std::ios::binary);
  std::ostringstream wanted;
  wanted << in.rdbuf();
  EXPECT_EQ(wanted.str(), text) << "differs from " << file
                                << "; HEADROOM_UPDATE_GOLDEN=1 writes it anew";
}

/// The longest line of a text, in bytes.
inline std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

}  // namespace headroom::test
