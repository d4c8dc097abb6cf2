// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <headroom/core/error.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/artifact_reader.hpp>

#include "support/full_series.hpp"
#include "support/golden.hpp"
#include "support/schema_examples.hpp"

namespace headroom {
namespace {

const test::schema_examples examples("artifact",
                                     [](const std::string& text, const std::string& name) {
                                       try {
                                         (void)parse_artifact(text, name);
                                         return std::string();
                                       } catch (const artifact_error& error) {
                                         return std::string(error.what());
                                       }
                                     });

TEST(ArtifactExamples, AcceptedOnesAreRead) { examples.expect_accepted(); }

TEST(ArtifactExamples, RejectedOnesAreRefusedWithPinnedWords) {
  examples.expect_rejected_with_pinned_words();
}

TEST(ArtifactExamples, EveryPinnedTextHasItsExample) {
  examples.expect_an_example_for_each_pinned_text();
}

TEST(ArtifactExamples, WhatIsBeyondTheSchemaHasItsReason) { examples.expect_reasons(); }

// The schema is checked against these texts of the writer, too.
TEST(ArtifactExamples, WriterTextsForTheSchema) {
  const budget against = test::scripted_budget();
  test::expect_golden("artifact/every_member.json",
                      artifact_text(test::full_series(), test::full_verdict(), &against));
  series_record series = test::scripted_series();
  series.skipped = "no GPU";
  series.phases.clear();
  test::expect_golden("artifact/skipped.json",
                      artifact_text(series, judge(series, against), nullptr));
}

}  // namespace
}  // namespace headroom
