// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "support/golden.hpp"

namespace headroom::test {

/// The reader's side of tests/schema/KIND; check_schema.py runs the JSON Schema over the same
/// files. What the reader says of each rejected file is pinned in tests/golden/KIND_errors.
class schema_examples {
 public:
  /// What a reader says of a text, under a file's name; "" when it accepts.
  using reader = std::function<std::string(const std::string& text, const std::string& name)>;

  schema_examples(std::string kind, reader refusal)
      : kind_(std::move(kind)), refusal_(std::move(refusal)) {}

  void expect_accepted() const {
    const auto files = files_in(folder() / "accept", ".json");
    EXPECT_FALSE(files.empty());
    for (const auto& file : files) EXPECT_EQ(refusal_of(file), "") << file;
  }

  void expect_rejected_with_pinned_words() const {
    EXPECT_GT(rejected().size(), 50U);
    for (const auto& file : rejected()) {
      const std::string text = refusal_of(file);
      EXPECT_NE(text, "") << file << " is accepted";
      expect_golden(kind_ + "_errors/" + file.stem().string() + ".txt", text + '\n');
    }
  }

  void expect_an_example_for_each_pinned_text() const {
    std::vector<std::string> names;
    for (const auto& file : rejected()) names.push_back(file.stem().string());
    const auto pinned = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/golden";
    for (const auto& file : files_in(pinned / (kind_ + "_errors"), ".txt")) {
      EXPECT_THAT(names, ::testing::Contains(file.stem().string())) << file;
    }
  }

  /// What is beyond the schema has its reason in the table beside it.
  void expect_reasons() const {
    const std::string reasons = text_of(folder() / "reject-beyond-schema" / "README.md");
    for (const auto& file : files_in(folder() / "reject-beyond-schema", ".json")) {
      EXPECT_THAT(reasons, ::testing::HasSubstr("| `" + file.filename().string() + "` | "));
    }
  }

 private:
  [[nodiscard]] std::filesystem::path folder() const {
    return std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/schema" / kind_;
  }
  [[nodiscard]] std::string refusal_of(const std::filesystem::path& file) const {
    return refusal_(text_of(file), file.filename().string());
  }
  [[nodiscard]] std::vector<std::filesystem::path> rejected() const {
    auto files = files_in(folder() / "reject", ".json");
    const auto more = files_in(folder() / "reject-beyond-schema", ".json");
    files.insert(files.end(), more.begin(), more.end());
    return files;
  }
  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                     const char* extension) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == extension) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  std::string kind_;
  reader refusal_;
};

}  // namespace headroom::test
