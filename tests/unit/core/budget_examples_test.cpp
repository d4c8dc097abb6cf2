// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>

#include "support/schema_examples.hpp"

namespace headroom {
namespace {

const test::schema_examples examples("budget",
                                     [](const std::string& text, const std::string& name) {
                                       try {
                                         (void)parse_budget(text, name);
                                         return std::string();
                                       } catch (const budget_error& error) {
                                         return std::string(error.what());
                                       }
                                     });

TEST(BudgetExamples, AcceptedOnesAreRead) { examples.expect_accepted(); }

TEST(BudgetExamples, RejectedOnesAreRefusedWithPinnedWords) {
  examples.expect_rejected_with_pinned_words();
}

TEST(BudgetExamples, EveryPinnedTextHasItsExample) {
  examples.expect_an_example_for_each_pinned_text();
}

TEST(BudgetExamples, WhatIsBeyondTheSchemaHasItsReason) { examples.expect_reasons(); }

}  // namespace
}  // namespace headroom
