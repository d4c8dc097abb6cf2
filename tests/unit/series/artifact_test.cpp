// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/series/artifact.hpp>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <headroom/core/error.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/golden.hpp"
#include "support/scripted_series.hpp"
#include "support/temporary_folder.hpp"

namespace headroom {
namespace {

using test::scripted_budget;
using test::scripted_series;
using test::temporary_folder;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

TEST(ArtifactText, HoldsTheWholeSeries) {
  const series_record series = scripted_series();
  const budget against = scripted_budget();
  test::expect_golden("artifact/within.json",
                      artifact_text(series, judge(series, against), &against));
}

TEST(ArtifactText, WhatWasNotMeasuredIsNull) {
  series_record series = scripted_series();
  test::end_of(series, 2)[counter_id::reserved_peak].reset();
  test::end_of(series, 2).at_allocated_peak.reset();
  const budget against = scripted_budget();
  const auto document =
      nlohmann::json::parse(artifact_text(series, judge(series, against), &against));
  const auto& reading = document.at("phases").at(2).at("readings").at(0);
  EXPECT_TRUE(reading.at("end").at("reserved_peak_bytes").is_null());
  EXPECT_TRUE(reading.at("at_allocated_peak").is_null());
  EXPECT_EQ(document.at("outcome"), "unknown");
}

TEST(ArtifactText, SaysThatItIsAPredictionUnlessEveryDeviceIsARealGpu) {
  const budget against = scripted_budget();
  series_record series = scripted_series();
  const auto prediction = [&] {
    const std::string text = artifact_text(series, judge(series, against), &against);
    return nlohmann::json::parse(text).at("prediction").get<bool>();
  };
  EXPECT_TRUE(prediction());
  series.devices[0].info.kind = device_kind::cuda;
  EXPECT_FALSE(prediction());
  series.devices[0].info.emulated = true;
  EXPECT_TRUE(prediction());
  series.devices[0].info.emulated = false;
  series.devices.push_back(series.devices[0]);
  series.devices[1].info.kind = device_kind::cpu;
  EXPECT_TRUE(prediction());
}

TEST(ArtifactText, TextThatIsNotUtf8IsStillJson) {
  series_record series = scripted_series();
  series.devices[0].info.name = "card \xff\x01";
  const budget against = scripted_budget();
  const std::string text = artifact_text(series, judge(series, against), &against);
  EXPECT_TRUE(nlohmann::json::accept(text));
}

TEST(ArtifactFile, AStartRecordStandsUntilTheArtifactDoes) {
  const temporary_folder folder;
  const budget against = scripted_budget();
  const series_record series = scripted_series();
  artifact_file file(folder.path() / "new" / "folder", "Scripted/0.Fits:Budget", "plan:1GiB",
                     &against);
  const auto start = nlohmann::json::parse(text_of(file.start_path()));
  EXPECT_EQ(start.at("schema"), start_schema_id);
  EXPECT_EQ(start.at("test"), "Scripted/0.Fits:Budget");
  EXPECT_EQ(start.at("artifact"), file.path().filename().string());
  EXPECT_FALSE(std::filesystem::exists(file.path()));
  file.finish(series, judge(series, against), &against);
  EXPECT_FALSE(std::filesystem::exists(file.start_path()));
  const auto document = nlohmann::json::parse(text_of(file.path()));
  EXPECT_EQ(document.at("id"), file.id());
  EXPECT_EQ(document.at("outcome"), "within");
  EXPECT_THAT(file.path().filename().string(),
              testing::StartsWith("scripted.Scripted-0.Fits-Budget.plan-1GiB."));
}

TEST(ArtifactFile, ManyOfOneNameDoNotMeet) {
  const temporary_folder folder;
  std::set<std::filesystem::path> paths;
  for (int i = 0; i < 50; ++i) {
    paths.insert(artifact_file(folder.path(), "A.B", "cpu", nullptr).start_path());
  }
  EXPECT_EQ(paths.size(), 50u);
}

TEST(ArtifactFile, AKilledProcessLeavesAStartRecordAndNoResult) {
  const temporary_folder folder;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const artifact_file file(folder.path(), "A.B", "cpu", nullptr);
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_THAT(names_in(folder.path()), testing::ElementsAre(testing::EndsWith(".started.json")));
}

TEST(ArtifactFile, AFileInPlaceOfTheFolderIsAnErrorThatSaysWhatToDo) {
  const temporary_folder folder;
  std::ofstream(folder.path() / "taken") << "x";
  try {
    const artifact_file file(folder.path() / "taken", "A.B", "cpu", nullptr);
    FAIL() << "a file was taken for a folder";
  } catch (const output_error& refused) {
    EXPECT_THAT(refused.what(), testing::HasSubstr("HEADROOM_ARTIFACT_DIR"));
  }
}

TEST(Sha256, IsTheStandardDigest) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace headroom
