// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/series/artifact_reader.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <headroom/core/error.hpp>
#include <headroom/series/artifact.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/full_series.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace headroom {
namespace {

using json = nlohmann::ordered_json;
using test::full_series;
using test::full_verdict;
using test::scripted_budget;
using test::scripted_series;
using ::testing::HasSubstr;

std::string full_text() {
  const budget against = scripted_budget();
  return artifact_text(full_series(), full_verdict(), &against);
}

/// "" when the text is read
std::string refusal(const std::string& text) {
  try {
    (void)parse_artifact(text, "f");
    return "";
  } catch (const artifact_error& error) {
    return error.what();
  }
}

/// The writer's text of what the reader made of a text.
std::string rewritten(const std::string& text, const budget* against) {
  const stored_artifact read = parse_artifact(text, "f");
  return artifact_text(read.series, read.result, against);
}

TEST(ArtifactReader, ReadsBackEveryMember) {
  const budget against = scripted_budget();
  const std::string text = full_text();
  EXPECT_EQ(rewritten(text, &against), text);
  EXPECT_EQ(parse_artifact(text, "f").result.limits, full_verdict().limits);
}

TEST(ArtifactReader, ReadsBackWhatTheBudgetWas) {
  const budget against = scripted_budget();
  const stored_artifact read = parse_artifact(full_text(), "f");
  ASSERT_TRUE(read.against);
  EXPECT_EQ(read.against->name, "scripted");
  EXPECT_EQ(read.against->file, "budgets/scripted.json");
  EXPECT_EQ(read.against->sha256, sha256_of(against.source));
  ASSERT_EQ(read.against->weights.size(), 1U);
  EXPECT_EQ(read.against->weights[0].name, "linear");
  EXPECT_EQ(storage_bytes(read.against->weights[0]), 4_MiB);
  ASSERT_EQ(read.against->reserve.size(), 1U);
  EXPECT_EQ(read.against->reserve[0].size, 2_MiB);
  EXPECT_EQ(read.against->reserve[0].why, "one tensor");
  EXPECT_EQ(read.against->envelope, 6_MiB);
}

TEST(ArtifactReader, ReadsBackJudgedSkippedAndStoppedRuns) {
  const budget against = scripted_budget();
  series_record series = scripted_series();
  std::string text = artifact_text(series, judge(series, against), &against);
  EXPECT_EQ(rewritten(text, &against), text);
  series.skipped = "no GPU";
  series.phases.clear();
  text = artifact_text(series, judge(series, against), &against);
  EXPECT_EQ(rewritten(text, &against), text);
  series.skipped.reset();
  series.setup_error = "the meter saw nothing";
  text = artifact_text(series, judge(series, against), nullptr);
  EXPECT_EQ(rewritten(text, nullptr), text);
  EXPECT_FALSE(parse_artifact(text, "f").against);
}

TEST(ArtifactReader, ReadsTheFileThatWasWritten) {
  const test::temporary_folder folder;
  const budget against = scripted_budget();
  const series_record series = scripted_series();
  artifact_file file(folder.path(), "Scripted.FitsBudget", "plan:1GiB", &against);
  try {
    (void)read_artifact(file.start_path());
    FAIL() << "a start record was read";
  } catch (const artifact_error& error) {
    EXPECT_EQ(error.what(), file.start_path().string() +
                                ":2: /schema: a start record: the run began and did not finish");
  }
  file.finish(series, judge(series, against), &against);
  const stored_artifact read = read_artifact(file.path());
  EXPECT_EQ(read.series.id, file.id());
  EXPECT_EQ(read.result.outcome, outcome::within);
  EXPECT_EQ(judge(read.series, against).limits, read.result.limits) << "can be judged again";
  EXPECT_THROW((void)read_artifact(folder.path()), artifact_error);
  EXPECT_THROW((void)read_artifact(folder.path() / "missing.json"), artifact_error);
}

/// Keys whose members are named by the workload, not by the schema.
bool is_open(const std::string& key) {
  return key == "requested" || key == "executed" || key == "options" || key == "settings";
}

/// Calls `damage` for every value below `node`, which may be changed and is put back.
void for_each_value(json& document, json& node, const std::string& key,
                    const std::function<void(json&, const std::string&)>& damage) {
  damage(node, key);
  if (is_open(key)) return;
  if (node.is_object()) {
    for (auto& [name, child] : node.items()) for_each_value(document, child, name, damage);
  } else if (node.is_array()) {
    for (auto& child : node) for_each_value(document, child, key, damage);
  }
}

class DamagedArtifact : public ::testing::Test {
 protected:
  void for_each(const std::function<void(json&, const std::string&)>& damage) {
    for_each_value(document_, document_, "", damage);
    EXPECT_EQ(refusal(document_.dump()), "") << "the damage was not put back";
    EXPECT_GT(tried_, 40U);
  }
  void expect_refused(const std::string& what) {
    ++tried_;
    EXPECT_NE(refusal(document_.dump()), "") << what;
  }

  json document_ = json::parse(full_text());
  std::size_t tried_ = 0;
};

TEST_F(DamagedArtifact, EveryMissingMemberIsRefused) {
  for_each([&](json& node, const std::string& key) {
    if (!node.is_object() || is_open(key)) return;
    const json whole = node;
    for (const auto& [name, value] : whole.items()) {
      node.erase(name);
      expect_refused("without " + name + " in " + key);
      node = whole;
    }
  });
}

TEST_F(DamagedArtifact, EveryUnknownMemberIsRefused) {
  for_each([&](json& node, const std::string& key) {
    if (!node.is_object() || is_open(key)) return;
    node["more"] = 1;
    expect_refused("more in " + key);
    node.erase("more");
  });
}

TEST_F(DamagedArtifact, EveryValueOfAnotherKindIsRefused) {
  for_each([&](json& node, const std::string& key) {
    const json whole = node;
    node = node.is_structured() ? json("text") : json::array({7});
    expect_refused("another kind of " + key);
    node = whole;
    if (!node.is_string() && !node.is_null()) {
      node = nullptr;
      if (key != "parent" && key != "seconds" && refusal(document_.dump()).empty()) {
        // Only what may not have been measured can be null.
        EXPECT_THAT(key, ::testing::AnyOf(::testing::EndsWith("_bytes"), "at_allocated_peak",
                                          "by_tag", "retries", "refusals", "difference",
                                          "tolerance", "error", "rehearsal"));
      }
      node = whole;
    }
  });
}

TEST_F(DamagedArtifact, FractionsAndNegativesAreRefused) {
  for_each([&](json& node, const std::string& key) {
    if (!node.is_number_integer()) return;
    const json whole = node;
    node = 1.5;
    expect_refused("a fraction in " + key);
    node = -1;
    if (key != "measured_bytes") expect_refused("a negative " + key);
    node = whole;
  });
}

TEST_F(DamagedArtifact, EveryFaultIsReported) {
  document_.erase("id");
  document_["phases"][2]["status"] = "done";
  document_["devices"][1]["capacity_bytes"] = 24e9;
  const std::string text = refusal(document_.dump(1));
  EXPECT_THAT(text, HasSubstr("f:1: key \"id\" is missing; an artifact always has it"));
  EXPECT_THAT(text, HasSubstr("/phases/2/status: found the text \"done\"; an artifact has one of "
                              "\"ok\", \"failed\" and \"not_run\" here"));
  EXPECT_THAT(text, HasSubstr("/devices/1/capacity_bytes: found the number 24000000000.0; write "
                              "an integer of 0 or more"));
}

}  // namespace
}  // namespace headroom
