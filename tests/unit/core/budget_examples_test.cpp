// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// The reader's side of tests/schema/budget; check_schema.py runs the JSON Schema over the same
// files. What the reader says of each rejected file is pinned in tests/golden/budget_errors. After
// an intended change, run with HEADROOM_UPDATE_GOLDEN=1 and read the difference.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <iterator>
#include <string>
#include <vector>

namespace headroom {
namespace {

namespace fs = std::filesystem;

const fs::path examples = fs::path(HEADROOM_SOURCE_DIR) / "tests/schema/budget";
const fs::path golden = fs::path(HEADROOM_SOURCE_DIR) / "tests/golden/budget_errors";

std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> rejected() {
  std::vector<fs::path> files = files_in(examples / "reject", ".json");
  const std::vector<fs::path> more = files_in(examples / "reject-beyond-schema", ".json");
  files.insert(files.end(), more.begin(), more.end());
  return files;
}

/// What the reader says; "" when it accepts.
std::string refusal(const fs::path& file) {
  try {
    (void)parse_budget(text_of(file), file.filename().string());
    return "";
  } catch (const budget_error& error) {
    return std::string(error.what()) + '\n';
  }
}

TEST(BudgetExamples, AcceptedOnesAreRead) {
  const auto files = files_in(examples / "accept", ".json");
  ASSERT_GE(files.size(), 15U);
  for (const fs::path& file : files) EXPECT_EQ(refusal(file), "") << file;
}

TEST(BudgetExamples, RejectedOnesAreRefusedWithTheWordsThatArePinned) {
  const bool update = std::getenv("HEADROOM_UPDATE_GOLDEN") != nullptr;
  const auto files = rejected();
  ASSERT_GE(files.size(), 100U);
  for (const fs::path& file : files) {
    const std::string text = refusal(file);
    EXPECT_NE(text, "") << file << " is accepted";
    const fs::path pinned = golden / file.stem().replace_extension(".txt");
    if (update) std::ofstream(pinned, std::ios::binary) << text;
    EXPECT_EQ(text, text_of(pinned)) << pinned;
  }
}

TEST(BudgetExamples, EveryPinnedTextHasItsExample) {
  std::vector<std::string> names;
  for (const fs::path& file : rejected()) names.push_back(file.stem().string());
  for (const fs::path& file : files_in(golden, ".txt")) {
    EXPECT_THAT(names, ::testing::Contains(file.stem().string())) << file;
  }
}

TEST(BudgetExamples, EveryExampleBeyondTheSchemaHasItsReason) {
  const std::string reasons = text_of(examples / "reject-beyond-schema" / "README.md");
  for (const fs::path& file : files_in(examples / "reject-beyond-schema", ".json")) {
    EXPECT_THAT(reasons, ::testing::HasSubstr("| `" + file.filename().string() + "` | "));
  }
}

}  // namespace
}  // namespace headroom
