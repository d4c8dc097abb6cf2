// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// measure: each exit code, what is printed, what the artifact says, what the options refuse.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <headroom/series/artifact_reader.hpp>
#include <nlohmann/json.hpp>

#include "odd_workloads.hpp"
#include "run_headroom.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;
using test::expect_golden;
using testing::HasSubstr;
using json = nlohmann::json;

const std::string typical = HEADROOM_SOURCE_DIR "/budgets/dense_forward_typical.json";
const std::string short_of_one =
    HEADROOM_SOURCE_DIR "/budgets/demonstration/dense_forward_one_tensor_short.json";

class Measure : public ::testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  ended measure(std::vector<std::string> arguments, const std::string& output = "a.json") const {
    arguments.insert(arguments.begin(), "measure");
    if (!output.empty()) arguments.push_back("--output=" + file(output));
    return run_headroom(arguments);
  }
  ended dense(const std::string& device, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = small_dense;
    arguments.insert(arguments.end(), {"--device", device});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return measure(arguments);
  }
  [[nodiscard]] std::string shown(const std::string& text) const {
    std::string result = without_folder(text, folder_.path().string());
    const std::string source = HEADROOM_SOURCE_DIR;
    for (std::size_t at; (at = result.find(source)) != std::string::npos;) {
      result.replace(at, source.size(), "SOURCE");
    }
    // Where all tests share a process, the cold pass is not the process's first.
    constexpr std::string_view warning =
        "  warning    the cold pass did not run in a fresh process: run one budget test\n"
        "             in each process\n";
    if (const std::size_t at = result.find(warning); at != std::string::npos) {
      result.erase(at, warning.size());
    }
    return result;
  }
  const test::temporary_folder folder_;
};

TEST_F(Measure, WithoutABudgetItIsDoneAndNothingIsJudged) {
  const ended got = dense("plan:24GB");
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  EXPECT_LE(test::longest_line(shown(got.out)), 80U);
  expect_golden("cli/measure_plain.txt", shown(got.out));
  expect_golden("cli/measure_log.txt", got.err);
  const stored_artifact stored = read_artifact(file("a.json"));
  EXPECT_TRUE(stored.series.prediction());
  EXPECT_EQ(stored.result.outcome, outcome::within);
  EXPECT_FALSE(stored.against);
  EXPECT_FALSE(fs::exists(file("a.started.json")));
}

TEST_F(Measure, TheCpuGivesAPredictionToo) {
  const ended got = dense("cpu");
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  EXPECT_THAT(got.out, HasSubstr("cpu (prediction, not a GPU measurement)"));
  EXPECT_TRUE(read_artifact(file("a.json")).series.prediction());
}

TEST_F(Measure, ACpuOfASizeHasThatCapacity) {
  EXPECT_EQ(dense("cpu:64MiB").code, exit_code::done);
  EXPECT_EQ(read_artifact(file("a.json")).series.devices.at(0).info.capacity, 64_MiB);
}

TEST_F(Measure, WithinItsBudgetIsExitZero) {
  const ended got = measure({"--budget", typical, "--device", "plan:24GB", "--quiet"});
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  EXPECT_EQ(got.err, "");
  expect_golden("cli/measure_within.txt", shown(got.out));
  EXPECT_EQ(read_artifact(file("a.json")).result.outcome, outcome::within);
}

TEST_F(Measure, OverItsBudgetIsExitOne) {
  const ended got = measure({"--budget", short_of_one, "--device", "plan:24GB", "--quiet"});
  EXPECT_EQ(got.code, exit_code::exceeded);
  EXPECT_THAT(got.out, HasSubstr("allocated peak over by 1.00 MiB (1048576 B)"));
  EXPECT_EQ(read_artifact(file("a.json")).result.outcome, outcome::exceeded);
}

TEST_F(Measure, ADeviceThatIsNotThereIsExitTwoAndNothingIsWritten) {
  const ended got = dense("cuda:4000");
  EXPECT_EQ(got.code, exit_code::no_device);
  EXPECT_EQ(got.out, "");
  EXPECT_THAT(got.err, HasSubstr("cuda:4000 is not there"));
  EXPECT_THAT(got.err, HasSubstr("nothing was measured"));
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(Measure, OutOfMemoryIsExitFiveAndTheArtifactHoldsIt) {
  const ended got = measure({"--workload", "dense", "--batch", "64", "--context", "1024", "--width",
                             "1024", "--layers", "4", "--device", "plan:100MB", "--quiet"});
  EXPECT_EQ(got.code, exit_code::workload_failed);
  EXPECT_THAT(got.out, HasSubstr("out of memory"));
  const stored_artifact stored = read_artifact(file("a.json"));
  EXPECT_EQ(stored.result.outcome, outcome::out_of_memory);
  EXPECT_EQ(stored.series.failed_phase()->name, "inputs");
}

TEST_F(Measure, AFailureOfTheWorkloadIsExitFive) {
  const ended got = run_program(odd_program(), ODD_PROGRAM,
                                {"measure", "--operation", "broken", "--size", "1", "--device",
                                 "plan:1GB", "--output=" + file("a.json"), "--quiet"});
  EXPECT_EQ(got.code, exit_code::workload_failed);
  EXPECT_THAT(got.out, HasSubstr("failed: phase cold_pass: no such kernel"));
  EXPECT_EQ(read_artifact(file("a.json")).result.outcome, outcome::failed);
}

TEST_F(Measure, WhatTheBudgetNeedsAndWasNotReadIsExitSix) {
  const ended got =
      measure({"--budget", typical, "--repeats", "1", "--device", "plan:24GB", "--quiet"});
  EXPECT_EQ(got.code, exit_code::unknown);
  EXPECT_THAT(got.out, HasSubstr("growth needs at least two warm repeats"));
}

TEST_F(Measure, ALoadThatWasCutIsExitSixAndIsNeverCalledDone) {
  const std::vector<std::string> cut{
      "--workload", "decoder", "--operation",     "generate", "--dtype",     "float32",
      "--layers",   "1",       "--width",         "16",       "--heads",     "2",
      "--kv-heads", "1",       "--head-dim",      "8",        "--ffn",       "16",
      "--prompt",   "9",       "--decode",        "2",        "--sequences", "1",
      "--cache",    "static",  "--over-capacity", "truncate", "--capacity",  "8",
      "--device",   "plan:1GB"};
  std::vector<std::string> arguments = cut;
  arguments.insert(arguments.end(), {"--vocabulary", "20"});
  const ended got = measure(arguments);
  EXPECT_EQ(got.code, exit_code::unknown) << got.err;
  EXPECT_THAT(got.out,
              HasSubstr("outcome    unknown: the requested load was not validated: asked"));
  EXPECT_THAT(got.out, testing::Not(HasSubstr("done")));
  arguments = cut;
  arguments.insert(arguments.begin(),
                   {"sweep", "--vary", "vocabulary=20,30", "--output", file("points")});
  const ended swept = run_headroom(arguments);
  EXPECT_EQ(swept.code, exit_code::unknown) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("20            -          -         -         -  unknown"));
  EXPECT_THAT(swept.out, HasSubstr("vocabulary 20: the requested load was not validated"));
}

TEST_F(Measure, AnOutputThatExistsIsExitFourAndUntouched) {
  std::ofstream(file("a.json")) << "mine";
  const ended got = dense("plan:24GB");
  EXPECT_EQ(got.code, exit_code::no_output);
  EXPECT_EQ(shown(got.err),
            "headroom: FOLDER/a.json: exists, and is not overwritten; give another name or move it "
            "away\n");
  std::ifstream in(file("a.json"));
  std::string text;
  in >> text;
  EXPECT_EQ(text, "mine");
}

TEST_F(Measure, AnOutputThatCannotBeIsExitFour) {
  fs::create_directory(file("a.json"));
  EXPECT_EQ(shown(dense("plan:24GB").err),
            "headroom: FOLDER/a.json: this is a folder; give the name of a new file in it\n");
  std::vector<std::string> arguments = small_dense;
  arguments.insert(arguments.end(), {"--device", "plan:24GB"});
  const ended missing = measure(arguments, "no/such/folder.json");
  EXPECT_EQ(missing.code, exit_code::no_output);
  EXPECT_THAT(missing.err, HasSubstr("cannot be written: No such file or directory"));
}

TEST_F(Measure, WithoutOutputANewNameIsChosen) {
  ::setenv("HEADROOM_ARTIFACT_DIR", file("artifacts").c_str(), 1);
  std::vector<std::string> arguments = small_dense;
  arguments.insert(arguments.end(), {"--device", "plan:24GB"});
  EXPECT_EQ(measure(arguments, "").code, exit_code::done);
  EXPECT_EQ(measure(arguments, "").code, exit_code::done);
  ::unsetenv("HEADROOM_ARTIFACT_DIR");
  EXPECT_EQ(std::distance(fs::directory_iterator(file("artifacts")), fs::directory_iterator()), 2);
}

TEST_F(Measure, JsonHasTheCountersOfEachPhase) {
  const ended got = dense("plan:24GB", {"--json", "--quiet"});
  const json document = json::parse(got.out);
  EXPECT_EQ(document["schema"], "headroom-measure/1");
  EXPECT_EQ(document["prediction"], true);
  EXPECT_EQ(document["outcome"], "within");
  EXPECT_EQ(document["budget"], nullptr);
  EXPECT_EQ(document["artifact"], file("a.json"));
  const stored_artifact stored = read_artifact(file("a.json"));
  const json& warm = document["phases"].back();
  EXPECT_EQ(warm["name"], "warm_forward");
  EXPECT_EQ(warm["times"], 2);
  EXPECT_EQ(warm["allocated_peak_bytes"],
            stored.series.phases.back().readings[0].end[counter_id::allocated_peak]->n);
}

TEST_F(Measure, SettingsOfTheAllocatorAreUsedAndRecorded) {
  EXPECT_EQ(dense("plan:24GB", {"--allocator", "expandable_segments:True"}).code, exit_code::done);
  const auto settings = read_artifact(file("a.json")).series.devices.at(0).allocator.settings;
  ASSERT_EQ(settings.size(), 1U);
  EXPECT_EQ(settings[0].first, "expandable_segments");
}

TEST_F(Measure, ACacheThatIsEmptiedIsRecordedAndNeverJudgedByAnotherKind) {
  EXPECT_EQ(dense("plan:24GB", {"--empty-cache-between-repeats"}).code, exit_code::done);
  const stored_artifact stored = read_artifact(file("a.json"));
  EXPECT_TRUE(stored.series.protocol.empty_cache_between_repeats);
  const ended judged = measure(
      {"--budget", typical, "--device", "plan:24GB", "--quiet", "--empty-cache-between-repeats"},
      "b.json");
  EXPECT_EQ(judged.code, exit_code::unknown);
  EXPECT_THAT(judged.out, HasSubstr("the series emptied the cache between repeats"));
}

TEST_F(Measure, FreshProcessesAreASeriesEachAndSayWhich) {
  std::vector<std::string> arguments{
      "measure",   "--workload",  "dense", "--batch",
      "1",         "--context",   "8",     "--width",
      "16",        "--layers",    "2",     "--device",
      "plan:24GB", "--processes", "3",     "--output=" + file("p.json")};
  const ended got = run_headroom(arguments);
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  expect_golden("cli/measure_processes.txt", shown(got.out));
  for (int i = 1; i <= 3; ++i) {
    const stored_artifact stored = read_artifact(file("p." + std::to_string(i) + ".json"));
    EXPECT_EQ(stored.series.protocol.process, i);
    EXPECT_EQ(stored.series.protocol.processes, 3);
    EXPECT_TRUE(stored.series.fresh_process);
  }
  EXPECT_EQ(run_headroom(arguments).code, exit_code::no_output);
  arguments.push_back("--json");
  arguments[arguments.size() - 2] = "--output=" + file("q.json");
  EXPECT_EQ(json::parse(run_headroom(arguments).out)["processes"].size(), 3U);
}

TEST_F(Measure, ProgressOnATerminalIsOneLine) {
  std::vector<std::string> arguments{"measure", "--output=" + file("t.json"), "--device",
                                     "plan:1GB"};
  arguments.insert(arguments.end(), small_dense.begin(), small_dense.end());
  const ended got = run_headroom(arguments, "", true);
  EXPECT_EQ(got.code, exit_code::done);
  EXPECT_THAT(got.err, HasSubstr("\rwarm_forward, warm repeat 2 of 2: allocated "));
  EXPECT_EQ(got.err.find('\n'), std::string::npos);
}

TEST_F(Measure, OtherSizesThanTheBudgetsNeedAWord) {
  const ended refused =
      measure({"--budget", typical, "--batch", "1", "--device", "plan:24GB", "--quiet"});
  EXPECT_EQ(refused.code, exit_code::invalid_input);
  EXPECT_THAT(refused.err, HasSubstr("--batch \"1\": the budget "));
  EXPECT_THAT(refused.err, HasSubstr("is for \"2\""));
  const ended taken = measure(
      {"--budget", typical, "--batch", "1", "--device", "plan:24GB", "--quiet", "--other-sizes"});
  EXPECT_EQ(taken.code, exit_code::done) << taken.err;
  EXPECT_THAT(read_artifact(file("a.json")).result.warnings,
              testing::Contains(HasSubstr("for batch 2, context 128")));
}

}  // namespace
}  // namespace headroom::cli
