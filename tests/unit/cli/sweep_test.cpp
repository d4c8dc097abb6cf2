// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <headroom/series/artifact_reader.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

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

class Sweep : public ::testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  ended sweep(const std::string& values, const std::vector<std::string>& more = {},
              const std::string& device = "plan:200MB") const {
    std::vector<std::string> arguments{
        "sweep",      "--vary",   values,      "--output", file("points"),
        "--workload", "dense",    "--context", "1024",     "--width",
        "1024",       "--layers", "4",         "--device", device,
        "--warmup",   "0",        "--repeats", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_headroom(arguments);
  }
  [[nodiscard]] std::string shown(const std::string& text) const {
    return without_folder(text, folder_.path().string());
  }
  const test::temporary_folder folder_;
};

TEST_F(Sweep, KeepsEveryPointFailuresIncluded) {
  const ended got =
      sweep("batch=1..32*4,2", {"--chart", file("c.svg"), "--json-lines", file("l.jsonl")});
  EXPECT_EQ(got.code, exit_code::workload_failed) << got.err;
  EXPECT_LE(test::longest_line(got.out), 80U);
  expect_golden("cli/sweep.txt", got.out);
  expect_golden("cli/sweep_log.txt", got.err);
  expect_golden("cli/sweep.svg", text_of(file("c.svg")));
  expect_golden("cli/sweep.jsonl", shown(text_of(file("l.jsonl"))));
  for (const char* const name : {"batch-1", "batch-4", "batch-16", "batch-2"}) {
    const stored_artifact stored = read_artifact(file("points") + "/" + name + ".json");
    EXPECT_TRUE(stored.series.fresh_process);
  }
}

TEST_F(Sweep, PointsThatAreThereAreNotRunAgain) {
  EXPECT_EQ(sweep("batch=1,2").code, exit_code::done);
  const std::string before = text_of(file("points") + "/batch-1.json");
  // A run that was stopped leaves a start record.
  fs::remove(file("points") + "/batch-2.json");
  std::ofstream(file("points") + "/batch-2.started.json") << "{}";
  const ended again = sweep("batch=1,2,3", {"--json"});
  EXPECT_EQ(again.code, exit_code::done) << again.err;
  EXPECT_EQ(again.err, "batch 1: done (was there)\nbatch 2: done\nbatch 3: done\n");
  EXPECT_EQ(text_of(file("points") + "/batch-1.json"), before);
  EXPECT_FALSE(fs::exists(file("points") + "/batch-2.started.json"));
  EXPECT_EQ(json::parse(again.out)["points"].size(), 3U);
}

TEST_F(Sweep, APointOfAnotherSeriesIsNeverTaken) {
  EXPECT_EQ(sweep("batch=1").code, exit_code::done);
  for (const std::vector<std::string>& other : {std::vector<std::string>{"--dtype", "bfloat16"},
                                                {"--seed", "7"},
                                                {"--allocator", "expandable_segments:True"},
                                                {"--allocator", "plain"},
                                                {"--empty-cache-between-repeats"},
                                                {"--touch"}}) {
    const ended got = sweep("batch=1", other);
    EXPECT_EQ(got.code, exit_code::no_output) << testing::PrintToString(other);
    EXPECT_THAT(got.err, HasSubstr("exists, and is of another series"));
  }
  EXPECT_EQ(sweep("batch=1", {}, "plan:300MB").code, exit_code::no_output);
}

TEST_F(Sweep, ABrokenPointOfBeforeIsNamed) {
  fs::create_directory(file("points"));
  std::ofstream(file("points") + "/batch-1.json") << "{";
  const ended got = sweep("batch=1");
  EXPECT_EQ(got.code, exit_code::invalid_input);
  EXPECT_THAT(got.err, HasSubstr("batch-1.json"));
}

TEST_F(Sweep, ALargerValueThatNeedsNoMoreIsMarked) {
  // One MiB segment more or less: both fit the same blocks.
  const ended got = run_headroom({"sweep",
                                  "--vary",
                                  "context=1..4*2",
                                  "--output",
                                  file("points"),
                                  "--workload",
                                  "dense",
                                  "--batch",
                                  "1",
                                  "--width",
                                  "16",
                                  "--layers",
                                  "1",
                                  "--device",
                                  "plan:1GB",
                                  "--warmup",
                                  "0",
                                  "--repeats",
                                  "1",
                                  "--json"});
  EXPECT_EQ(got.code, exit_code::done);
  const json points = json::parse(got.out)["points"];
  EXPECT_EQ(points[0]["dominated"], true);
  EXPECT_EQ(points[2]["dominated"], false);
}

TEST_F(Sweep, ABudgetsLimitsHoldForEveryValue) {
  const ended got =
      run_headroom({"sweep", "--vary", "batch=1,2,4", "--output", file("points"), "--budget",
                    HEADROOM_SOURCE_DIR "/budgets/dense_forward_typical.json", "--device",
                    "plan:24GB", "--json"});
  EXPECT_EQ(got.code, exit_code::exceeded) << got.err;
  const json points = json::parse(got.out)["points"];
  EXPECT_EQ(points[0]["outcome"], "within");
  EXPECT_EQ(points[1]["outcome"], "within");
  EXPECT_EQ(points[2]["outcome"], "exceeded");
}

TEST_F(Sweep, AValueThatTheWorkloadRefusesIsAPointWithItsReason) {
  const ended got = run_headroom({"sweep",
                                  "--vary",
                                  "microbatches=1,2,3",
                                  "--output",
                                  file("points"),
                                  "--workload",
                                  "dense",
                                  "--operation",
                                  "train",
                                  "--batch",
                                  "4",
                                  "--context",
                                  "8",
                                  "--width",
                                  "16",
                                  "--layers",
                                  "2",
                                  "--device",
                                  "plan:1GB",
                                  "--json"});
  EXPECT_EQ(got.code, exit_code::invalid_input);
  const json points = json::parse(got.out)["points"];
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[1]["whole"], true);
  EXPECT_EQ(points[2]["outcome"], nullptr);
  EXPECT_THAT(points[2]["note"].get<std::string>(),
              HasSubstr("batch 4 does not divide into 3 microbatches"));
}

TEST_F(Sweep, OutputsAreLookedAtBeforeAnythingRuns) {
  std::ofstream(file("c.svg")) << "mine";
  EXPECT_EQ(sweep("batch=1", {"--chart", file("c.svg")}).code, exit_code::no_output);
  EXPECT_FALSE(fs::exists(file("points")));
  std::ofstream(file("points")) << "a file";
  EXPECT_EQ(sweep("batch=1").code, exit_code::no_output);
  fs::remove(file("points"));
  EXPECT_EQ(sweep("batch=1", {}, "cuda:4000").code, exit_code::no_device);
  EXPECT_FALSE(fs::exists(file("points")));
}

TEST(SweepOptions, EveryWrongOneSaysWhatToWrite) {
  std::string all;
  for (const char* const wrong :
       {"batch", "=1", "batch=", "batch=1,", "batch=nan", "batch=-1", "batch=0", "batch=1,1",
        "batch=1..", "batch=4..2", "batch=1..8*1", "batch=1..8*0", "batch=1..8+x", "batch=1..inf",
        "batch=1..99999999999999999999", "batch=1..100000", "bacth=1,2", "layers=1,2",
        "microbatchs=2"}) {
    all += refusal("sweep",
                   {"--vary", wrong, "--output", "/nowhere/x", "--workload", "dense", "--context",
                    "8", "--width", "16", "--layers", "2", "--device", "plan:1GB"});
  }
  all += refusal("sweep", {});
  all += refusal("sweep", {"--vary", "batch=1"});
  expect_golden("cli/sweep_wrong_options.txt", all);
}

}  // namespace
}  // namespace headroom::cli
