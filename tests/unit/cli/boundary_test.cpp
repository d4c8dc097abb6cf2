// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <headroom/series/artifact_reader.hpp>
#include <nlohmann/json.hpp>

#include "odd_workloads.hpp"
#include "run_headroom.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace headroom::cli {
namespace {

using test::expect_golden;
using testing::HasSubstr;
using json = nlohmann::json;

class Boundary : public ::testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  ended boundary(const std::string& device, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{
        "boundary",   "--vary",     "batch", "--from",    "1",    "--to",      "4096", "--output",
        file(device), "--workload", "dense", "--context", "2048", "--width",   "4096", "--layers",
        "8",          "--device",   device,  "--warmup",  "1",    "--repeats", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_headroom(arguments);
  }
  ended odd(const std::string& operation, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"boundary", "--vary",   "size",      "--operation",
                                       operation,  "--warmup", "0",         "--repeats",
                                       "1",        "--output", file("odd"), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(odd_program(), ODD_PROGRAM, arguments);
  }
  const test::temporary_folder folder_;
};

TEST_F(Boundary, TwoCapacitiesHaveTwoBordersAndMeasureAgrees) {
  std::vector<std::int64_t> borders;
  for (const char* const device : {"plan:24GB", "plan:48GB"}) {
    const ended got = boundary(device, {"--json"});
    ASSERT_EQ(got.code, exit_code::done) << got.err;
    const json answer = json::parse(got.out);
    EXPECT_EQ(answer["monotonic"], true);
    EXPECT_EQ(answer["agrees"], true);
    const std::int64_t fits = answer["largest_that_fits"];
    EXPECT_EQ(answer["smallest_that_fails"], fits + 1);
    borders.push_back(fits);
    const auto measure = [&](std::int64_t batch) {
      return run_headroom({"measure", "--quiet", "--workload", "dense", "--batch",
                           std::to_string(batch), "--context", "2048", "--width", "4096",
                           "--layers", "8", "--device", device,
                           "--output=" + file(device + std::to_string(batch) + ".json")})
          .code;
    };
    EXPECT_EQ(measure(fits), exit_code::done);
    EXPECT_EQ(measure(fits + 1), exit_code::workload_failed);
    const auto artifact = answer["neighbours"][0]["planned"]["artifact"].get<std::string>();
    EXPECT_TRUE(ran_whole(read_artifact(artifact).series));
  }
  EXPECT_LT(borders[0], borders[1]);
}

TEST_F(Boundary, ShowsTheNeighboursAndWhatWasTried) {
  const ended got = boundary("plan:24GB");
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  EXPECT_EQ(got.err, "");
  expect_golden("cli/boundary.txt", without_folder(got.out, folder_.path().string()));
  // The artifacts are kept, and taken again.
  EXPECT_EQ(boundary("plan:24GB").out, got.out);
}

TEST_F(Boundary, ABudgetIsABorderToo) {
  const ended got =
      run_headroom({"boundary", "--vary", "batch", "--to", "64", "--output", file("b"), "--budget",
                    HEADROOM_SOURCE_DIR "/budgets/dense_forward_typical.json", "--device",
                    "plan:24GB", "--json"});
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  EXPECT_EQ(json::parse(got.out)["largest_that_fits"], 2);
}

TEST_F(Boundary, ConfirmRunsTheNeighboursForReal) {
  const ended got =
      run_headroom({"boundary", "--vary",     "batch",      "--to",      "64",  "--output",
                    file("b"),  "--workload", "dense",      "--context", "128", "--width",
                    "256",      "--layers",   "2",          "--warmup",  "0",   "--repeats",
                    "1",        "--device",   "plan:32MiB", "--confirm", "cpu", "--json"});
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  const json answer = json::parse(got.out);
  EXPECT_EQ(answer["agrees"], true);
  for (const json& each : answer["neighbours"]) {
    EXPECT_EQ(each["confirmed"]["outcome"], each["planned"]["outcome"]);
    EXPECT_EQ(each["confirmed"]["allocated_peak_bytes"], each["planned"]["allocated_peak_bytes"]);
  }
  EXPECT_EQ(boundary("plan:24GB", {"--confirm", "cuda:4000"}).code, exit_code::no_device);
}

TEST_F(Boundary, WhereNothingFitsItIsExitOne) {
  const ended got = boundary("plan:100MB", {"--json"});
  EXPECT_EQ(got.code, exit_code::exceeded) << got.err;
  EXPECT_EQ(json::parse(got.out)["largest_that_fits"], nullptr);
  EXPECT_EQ(json::parse(got.out)["smallest_that_fails"], 1);
}

TEST_F(Boundary, WhereAllFitItSaysSo) {
  const ended got = run_headroom({"boundary", "--vary", "layers", "--to", "4", "--output",
                                  file("b"), "--workload", "dense", "--batch", "1", "--context",
                                  "8", "--width", "16", "--device", "plan:1GB"});
  EXPECT_EQ(got.code, exit_code::done);
  EXPECT_THAT(got.out, HasSubstr("Every layers from 1 to 4 that was tried fits"));
}

TEST_F(Boundary, ABorderThatIsNoneIsSaidWithThePoints) {
  const ended got = odd("jumps", {"--to", "40", "--device", "plan:64MiB"});
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  const json answer = json::parse(got.out);
  EXPECT_EQ(answer["monotonic"], false);
  EXPECT_GT(answer["largest_that_fits"], answer["smallest_that_fails"]);
  EXPECT_EQ(answer["agrees"], true);
}

TEST_F(Boundary, AFailureOfAnotherKindIsNoBorder) {
  const ended got = odd("broken", {"--to", "40", "--device", "plan:64MiB"});
  EXPECT_EQ(got.code, exit_code::unknown);
  EXPECT_EQ(got.out, "");
  EXPECT_EQ(got.err, "odd-program: size 1: failed: phase cold_pass: no such kernel\n");
}

std::string refusal_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--workload", "dense", "--context", "8", "--width", "16",
                                     "--layers", "2", "--output", "/nowhere/x"});
  return refusal("boundary", arguments);
}

TEST(BoundaryOptions, EveryWrongOneSaysWhatToWrite) {
  std::string all;
  for (const char* const wrong : {"nan", "inf", "-1", "0", "1.5", "64x", "99999999999999999999"}) {
    all += refusal_of({"--vary", "batch", "--to", wrong, "--device", "plan:1GB"});
    all += refusal_of({"--vary", "batch", "--from", wrong, "--to", "9", "--device", "plan:1GB"});
  }
  all += refusal_of({});
  all += refusal_of({"--vary", "batch"});
  all += refusal_of({"--vary", "bacth", "--to", "9", "--device", "plan:1GB"});
  all += refusal_of({"--vary", "batch", "--from", "9", "--to", "9", "--device", "plan:1GB"});
  all += refusal_of({"--vary", "batch", "--to", "9"});
  all += refusal_of({"--vary", "batch", "--to", "9", "--device", "cpu"});
  all +=
      refusal_of({"--vary", "batch", "--to", "9", "--device", "plan:1GB", "--confirm", "plan:2GB"});
  all += refusal_of({"--vary", "batch", "--to", "9", "--device", "plan:1GB", "--confirm", "gpu"});
  all += refusal_of({"--vary", "batch", "--to", "9223372036854775807", "--device", "plan:1GB"});
  expect_golden("cli/boundary_wrong_options.txt", all);
}

}  // namespace
}  // namespace headroom::cli
