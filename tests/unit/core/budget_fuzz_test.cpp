// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Damaged budgets: each must be read or refused with a message that is safe to print. Never a
// crash, another exception, or a budget with a counter that nothing limits.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <headroom/core/quoted_text.hpp>
#include <iterator>
#include <string>

namespace headroom {
namespace {

constexpr std::string_view small_budget =
    R"({"schema":"headroom-budget/1","name":"s","workload":{"name":"d","operation":"f",)"
    R"("revision":"1","seed":1,"dtype":"f","dimensions":{"b":2}},"weights":[],)"
    R"("reserve":[{"name":"a","size":"1 B","basis":"computed","why":"w"}],)"
    R"("limits":{"allocated_peak":"envelope","reserved_peak":{"at_most":"9 kB","at_least":"1 B"},)"
    R"("allocated_current":"2.5 MB","reserved_current":{"waived":"w"}}})";

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0 || first == 0x7F || (first < 0x20 && first != '\n')) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// @return true when the text is a budget
bool reads(const std::string& text) {
  try {
    const budget read = parse_budget(text, "f");
    for (const counter_id counter : all_counters) {
      const auto& each = read.limits[counter];
      EXPECT_TRUE(each && (each->waived || each->at_most || each->at_most_is_envelope)) << text;
    }
    return true;
  } catch (const budget_error& error) {
    EXPECT_FALSE(error.problems().empty()) << text;
    EXPECT_TRUE(is_printable(error.what())) << quoted_text(error.what(), 1000);
    return false;
  }
}

TEST(BudgetFuzz, TheSmallBudgetIsRead) { EXPECT_TRUE(reads(std::string(small_budget))); }

TEST(BudgetFuzz, NoPrefixIsRead) {
  const auto path =
      std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/schema/budget/accept/design_example.json";
  std::ifstream in(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  text.erase(text.find_last_of('}') + 1);
  ASSERT_TRUE(reads(text));
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(reads(text.substr(0, length))) << length;
  }
}

TEST(BudgetFuzz, EveryByteReplacedByEveryOther) {
  std::size_t read = 0;
  for (std::size_t i = 0; i < small_budget.size(); ++i) {
    std::string text(small_budget);
    for (int byte = 0; byte < 256; ++byte) {
      text[i] = static_cast<char>(byte);
      read += reads(text) ? 1U : 0U;
    }
  }
  EXPECT_GT(read, small_budget.size()) << "names and digits may change";
  EXPECT_LT(read, small_budget.size() * 20) << "most of the text may not";
}

TEST(BudgetFuzz, EveryByteLeftOutDoubledAndSwapped) {
  for (std::size_t i = 0; i < small_budget.size(); ++i) {
    std::string text(small_budget);
    text.erase(i, 1);
    (void)reads(text);
    text = small_budget;
    text.insert(i, 1, small_budget[i]);
    (void)reads(text);
    if (i + 1 == small_budget.size()) continue;
    text = small_budget;
    std::swap(text[i], text[i + 1]);
    (void)reads(text);
  }
}

TEST(BudgetFuzz, ManyValuesEndQuickly) {
  const std::string before(small_budget.substr(0, small_budget.find("\"b\":2")));
  const std::string behind(small_budget.substr(small_budget.find("\"b\":2") + 5));
  std::string dimensions;
  for (int i = 0; i < 100'000; ++i) dimensions += '"' + std::to_string(i) + "\":1,";
  EXPECT_FALSE(reads(before + dimensions + "\"b\":2" + behind));
  EXPECT_FALSE(reads(before + std::string(900'000, '"') + behind));
  EXPECT_FALSE(reads(std::string(900'000, '{')));
  EXPECT_FALSE(reads(before + '"' + std::string(900'000, 'k') + "\":0" + behind));
  EXPECT_FALSE(reads(before + "\"b\":" + std::string(900'000, '9') + behind));
}

}  // namespace
}  // namespace headroom
