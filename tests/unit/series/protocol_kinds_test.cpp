// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// Series of other kinds: with the cache emptied between repeats, in fresh processes, without a
// budget, and with an artifact whose path was chosen.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <headroom/core/error.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <headroom/series/comparable.hpp>
#include <headroom/series/open_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>

#include "support/scripted_series.hpp"
#include "support/temporary_folder.hpp"

namespace headroom {
namespace {

namespace fs = std::filesystem;
using test::scripted_budget;
using test::scripted_series;
using testing::Contains;
using testing::HasSubstr;

/// Holds 1 MiB, and needs 30 MiB more in its first pass alone.
class shrinking_workload final : public workload {
 public:
  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "pass"; }
  void load(run_context& run) override { held_ = buffer(run.device(), 1_MiB, tag::weights); }
  void make_inputs(run_context& /*run*/) override {}
  void run_pass(run_context& run) override {
    if (std::exchange(first_, false)) buffer(run.device(), 30_MiB, tag::workspace).reset();
  }

 private:
  workload_description description_ = test::scripted_description();
  buffer held_;
  bool first_ = true;
};

bytes reserved_in_last_pass(bool empties) {
  const auto on = open_device(parse_device_request("plan:1GiB"));
  shrinking_workload work;
  series_options options;
  options.protocol = {1, 1};
  options.protocol.empty_cache_between_repeats = empties;
  const series_record series = run_series(*on, work, options);
  EXPECT_EQ(series.protocol.empty_cache_between_repeats, empties);
  return *series.phases.back().readings.at(0).end[counter_id::reserved_peak];
}

TEST(EmptiedCache, IsGivenBackBeforeWarmupsAndRepeats) {
  EXPECT_EQ(reserved_in_last_pass(false), 32_MiB);
  EXPECT_EQ(reserved_in_last_pass(true), 2_MiB);
}

TEST(EmptiedCache, IsJudgedByABudgetOfItsKindAlone) {
  series_record series = scripted_series();
  budget against = scripted_budget();
  series.protocol.empty_cache_between_repeats = true;
  EXPECT_EQ(judge(series, against).outcome, outcome::setup_error);
  EXPECT_EQ(judge(series, against).reason,
            "the series emptied the cache between repeats, the budget is for one that keeps it");
  against.protocol.empty_cache_between_repeats = true;
  EXPECT_EQ(judge(series, against).outcome, outcome::within);
  series.protocol.empty_cache_between_repeats = false;
  EXPECT_EQ(judge(series, against).outcome, outcome::setup_error);
}

/// Takes 40 MiB when it is touched.
class touched_workload final : public workload {
 public:
  std::string order;
  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "pass"; }
  void touch(run_context& run) override {
    order += "touch ";
    buffer(run.device(), 40_MiB, tag::temporary).reset();
  }
  void load(run_context& run) override {
    order += "load ";
    held_ = buffer(run.device(), 1_MiB, tag::weights);
  }
  void make_inputs(run_context& /*run*/) override {}
  void run_pass(run_context& /*run*/) override {}

 private:
  workload_description description_ = test::scripted_description();
  buffer held_;
};

TEST(Touch, IsAPhaseOfItsOwnBeforeTheModelAndLeavesTheCountersAsTheyAre) {
  for (const bool touches : {false, true}) {
    const auto on = open_device(parse_device_request("plan:1GiB"));
    touched_workload work;
    series_options options;
    options.protocol = {0, 1};
    options.protocol.touch = touches;
    const series_record series = run_series(*on, work, options);
    EXPECT_EQ(work.order, touches ? "touch load " : "load ");
    EXPECT_EQ(series.phases.front().name, touches ? "touch" : "model_load");
    EXPECT_EQ(series.phases.back().readings.at(0).end[counter_id::reserved_peak], 2_MiB);
    EXPECT_EQ(series.phases.size(), touches ? 5U : 4U);
  }
}

TEST(Touch, IsJudgedByABudgetOfItsKindAlone) {
  series_record series = scripted_series();
  budget against = scripted_budget();
  series.protocol.touch = true;
  EXPECT_EQ(judge(series, against).reason,
            "the series touched the libraries before its cold pass, the budget is for one that "
            "does not");
  EXPECT_EQ(judge(series, against).outcome, outcome::setup_error);
  against.protocol.touch = true;
  EXPECT_EQ(judge(series, against).outcome, outcome::within);
  series.protocol.touch = false;
  EXPECT_EQ(judge(series, against).outcome, outcome::setup_error);
  EXPECT_EQ(why_not_comparable(scripted_series(),
                               [] {
                                 series_record touched = scripted_series();
                                 touched.protocol.touch = true;
                                 return touched;
                               }()),
            std::vector<std::string>{"the touch of libraries before the cold pass differs: \"not "
                                     "touched\" and \"touched\""});
}

TEST(ProtocolKinds, AreNotComparedWithEachOther) {
  series_record other = scripted_series();
  other.protocol.empty_cache_between_repeats = true;
  other.protocol.processes = 5;
  EXPECT_THAT(why_not_comparable(scripted_series(), other),
              testing::ElementsAre(
                  "the treatment of the cache between repeats differs: \"kept\" and \"emptied\"",
                  "the number of fresh processes differs: \"1\" and \"5\""));
}

TEST(FreshProcesses, AreSaidInAWarning) {
  series_record series = scripted_series();
  series.protocol.process = 2;
  series.protocol.processes = 5;
  const verdict result = judge(series, scripted_budget());
  EXPECT_EQ(result.outcome, outcome::within);
  EXPECT_THAT(result.warnings,
              Contains("process 2 of 5: fresh processes in place of the budget's 2 repeats"));
}

TEST(ProtocolKinds, AreKeptByTheArtifact) {
  series_record series = scripted_series();
  series.protocol = {1, 2, true, 3, 4, true};
  const std::string text = artifact_text(series, judge_without_budget(series), nullptr);
  EXPECT_EQ(parse_artifact(text, "a.json").series.protocol, series.protocol);
  const std::string usual =
      artifact_text(scripted_series(), judge_without_budget(scripted_series()), nullptr);
  EXPECT_THAT(usual, testing::Not(HasSubstr("processes")));
  EXPECT_THAT(usual, testing::Not(HasSubstr("touch")));
  EXPECT_EQ(parse_artifact(usual, "a.json").series.protocol, scripted_series().protocol);
}

TEST(WithoutABudget, NothingIsJudgedAndAFailureIsOne) {
  series_record series = scripted_series();
  EXPECT_EQ(judge_without_budget(series).outcome, outcome::within);
  EXPECT_TRUE(ran_whole(series));
  series.checks.push_back({"export", false, {}, {}, "not finite"});
  EXPECT_EQ(judge_without_budget(series).reason, "check export: not finite");
  EXPECT_FALSE(ran_whole(series));
  series = scripted_series();
  series.phases[4].status = phase_status::failed;
  series.phases[4].error = phase_error{"out_of_memory", "no more", {}, {}, ""};
  EXPECT_EQ(judge_without_budget(series).outcome, outcome::out_of_memory);
  series.phases[4].error->kind = "workload_error";
  EXPECT_EQ(judge_without_budget(series).outcome, outcome::failed);
  series.setup_error = "blind";
  EXPECT_EQ(judge_without_budget(series).outcome, outcome::setup_error);
  series.skipped = "no GPU";
  EXPECT_EQ(judge_without_budget(series).outcome, outcome::skipped);
}

TEST(ArtifactAt, IsWhereItWasAskedForAndNeverOverAnother) {
  const test::temporary_folder folder;
  const fs::path path = folder.path() / "mine.json";
  artifact_file file = artifact_file::at(path, "", "cpu", nullptr);
  EXPECT_EQ(file.path(), path);
  EXPECT_TRUE(fs::exists(folder.path() / "mine.started.json"));
  EXPECT_THROW(static_cast<void>(artifact_file::at(path, "", "cpu", nullptr)), output_error);
  const series_record series = scripted_series();
  file.finish(series, judge_without_budget(series), nullptr);
  EXPECT_FALSE(fs::exists(folder.path() / "mine.started.json"));
  EXPECT_EQ(read_artifact(path).series.id, file.id());
  EXPECT_THROW(static_cast<void>(artifact_file::at(path, "", "cpu", nullptr)), output_error);
  EXPECT_FALSE(fs::exists(folder.path() / "mine.started.json"));
  EXPECT_THROW(static_cast<void>(artifact_file::at(folder.path(), "", "cpu", nullptr)),
               output_error);
}

TEST(CpuOfASize, HasThatCapacityAndTheUsualName) {
  const device_request request = parse_device_request("cpu:64MiB");
  EXPECT_EQ(request.kind, device_kind::cpu);
  EXPECT_EQ(open_device(request)->info().capacity, 64_MiB);
  EXPECT_EQ(open_device(request)->info().id, "cpu");
  for (const char* const wrong : {"cpu:", "cpu:0GB", "cpu:64", "cpu:nan"}) {
    EXPECT_THROW(static_cast<void>(parse_device_request(wrong)), usage_error) << wrong;
  }
}

}  // namespace
}  // namespace headroom
