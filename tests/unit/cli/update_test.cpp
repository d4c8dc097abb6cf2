// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <headroom/report/limit_update.hpp>
#include <headroom/series/artifact.hpp>
#include <sstream>

#include "run_headroom.hpp"
#include "support/golden.hpp"
#include "support/scripted_series.hpp"
#include "support/temporary_folder.hpp"
#include "support/without_dates.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;
using test::expect_golden;
using testing::HasSubstr;

constexpr const char* start_text = R"({
  "schema": "headroom-budget/1", "name": "scripted",
  "workload": {"name": "scripted", "operation": "forward", "revision": "1", "seed": 7,
               "dtype": "float32", "dimensions": {"batch": 2}},
  "protocol": {"warmup": 1, "repeats": 2},
  "weights": [{"name": "linear", "parameters": 1048576, "bits": 32, "compute": "float32"}],
  "reserve": [{"name": "activations", "size": "8 MiB", "basis": "assumed", "why": "guessed"}],
  "limits": {
    "allocated_peak": {"at_most": "5 MiB", "at_least": "1 MiB"},
    "reserved_peak":     "64 MiB",
    "allocated_current": "4 MiB",
    "reserved_current": {"waived": "not of interest"}
  },
  "phase_limits": [
    {"phase": "model_load", "limits": {"allocated_peak": "envelope", "reserved_peak": "30 MiB"}}
  ]
}
)";

class Update : public ::testing::Test {
 protected:
  Update() {
    put("budget.json", start_text);
    put("a.json", artifact(test::scripted_series()));
  }
  static std::string artifact(const series_record& series) {
    return artifact_text(series, judge_without_budget(series), nullptr);
  }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }
  ended update(const std::vector<std::string>& more, const std::string& from = "a.json") const {
    std::vector<std::string> arguments{"update", "--budget", path("budget.json"), path(from)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_headroom(arguments);
  }
  /// Without what differs from run to run.
  [[nodiscard]] std::string shown(const std::string& printed) const {
    return test::without_dates(without_folder(printed, folder_.path().string()));
  }
  const test::temporary_folder folder_;
};

TEST_F(Update, WithoutANameLimitsAreLoweredOnly) {
  const ended got = update({"--margin", "10%", "--reason", "measured"});
  EXPECT_EQ(got.code, exit_code::exceeded);  // the peak is over its limit, and was not named
  expect_golden("cli/update_lowers.txt", shown(got.out));
  EXPECT_EQ(text("budget.json"), start_text);  // a proposal alone
}

TEST_F(Update, ANamedLimitIsRaisedAndTheOthersLeftAlone) {
  const ended got = update(
      {"--margin", "1 MiB", "--reason", "logits are kept", "--limit", "allocated_peak", "--write"});
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  expect_golden("cli/update_raises.txt", shown(got.out));
  const budget after = read_budget(path("budget.json"));
  EXPECT_EQ(after.limits[counter_id::allocated_peak]->at_most, 7_MiB);
  EXPECT_EQ(after.limits[counter_id::allocated_peak]->at_least, 1_MiB);
  EXPECT_EQ(after.limits[counter_id::reserved_peak]->at_most, 64_MiB);
  ASSERT_EQ(after.history.size(), 1U);
  const history_entry& entry = after.history[0];
  EXPECT_EQ(entry.limit, "/limits/allocated_peak");
  EXPECT_EQ(entry.from, 5_MiB);
  EXPECT_EQ(entry.to, 7_MiB);
  EXPECT_EQ(entry.reason, "logits are kept");
  EXPECT_EQ(entry.artifact_sha256, sha256_of(text("a.json")));
  EXPECT_EQ(entry.device, "plan:1GiB");
  EXPECT_EQ(entry.revision, "1");
  // All else keeps its form.
  EXPECT_THAT(text("budget.json"), HasSubstr("\"reserved_peak\":     \"64 MiB\",\n"));
}

TEST_F(Update, HistoryGrowsAtItsEnd) {
  EXPECT_EQ(
      update({"--margin", "1 MiB", "--reason", "one", "--limit", "allocated_peak", "--write"}).code,
      exit_code::done);
  EXPECT_EQ(update({"--margin", "2 MiB", "--reason", "two", "--limit", "/limits/allocated_peak",
                    "--limit", "/phase_limits/0/limits/reserved_peak", "--write"})
                .code,
            exit_code::done);
  const budget after = read_budget(path("budget.json"));
  ASSERT_EQ(after.history.size(), 3U);
  EXPECT_EQ(after.history[1].from, 7_MiB);
  EXPECT_EQ(after.history[1].to, 8_MiB);
  EXPECT_EQ(after.history[2].limit, "/phase_limits/0/limits/reserved_peak");
  EXPECT_EQ(after.per_phase[0].limits[counter_id::reserved_peak]->at_most, 22_MiB);
}

TEST_F(Update, NothingToChangeSaysSo) {
  const ended got =
      update({"--margin", "0 B", "--reason", "same", "--limit", "allocated_current", "--write"});
  EXPECT_EQ(got.code, exit_code::done);
  EXPECT_THAT(got.out, HasSubstr("No limit changes.\n"));
  EXPECT_EQ(text("budget.json"), start_text);
}

TEST_F(Update, OutputIsANewFile) {
  const std::vector<std::string> arguments{
      "--margin", "0 B", "--reason", "x", "--limit", "reserved_peak", "--output", path("new.json")};
  EXPECT_EQ(update(arguments).code, exit_code::done);
  EXPECT_EQ(read_budget(path("new.json")).limits[counter_id::reserved_peak]->at_most, 20_MiB);
  EXPECT_EQ(text("budget.json"), start_text);
  EXPECT_EQ(update(arguments).code, exit_code::no_output);
}

TEST_F(Update, TheHighestOfAllArtifactsCounts) {
  series_record higher = test::scripted_series();
  test::end_of(higher, 5)[counter_id::allocated_peak] = 6_MiB + 512_B;
  fs::create_directory(path("all"));
  put("all/a.json", artifact(test::scripted_series()));
  put("all/b.json", artifact(higher));
  EXPECT_EQ(
      update({"--margin", "0 B", "--reason", "x", "--limit", "allocated_peak", "--write"}, "all")
          .code,
      exit_code::done);
  const budget after = read_budget(path("budget.json"));
  EXPECT_EQ(after.limits[counter_id::allocated_peak]->at_most, 6_MiB + 512_B);
  EXPECT_EQ(after.history[0].artifact_sha256, sha256_of(text("all/b.json")));
}

TEST_F(Update, WhatCannotBeAReasonForALimitIsRefused) {
  std::string all;
  const auto refused = [&](const std::vector<std::string>& more,
                           const std::string& from = "a.json") {
    const ended got = update(more, from);
    EXPECT_EQ(got.code, exit_code::invalid_input) << testing::PrintToString(more);
    EXPECT_EQ(got.out, "");
    all += shown(got.err);
  };
  const std::vector<std::string> fine{"--margin", "0 B", "--reason", "x"};
  series_record other = test::scripted_series();
  other.workload.revision = "2";
  put("other.json", artifact(other));
  refused(fine, "other.json");
  series_record failed = test::scripted_series();
  failed.phases[5].status = phase_status::failed;
  failed.phases[5].error = {"out_of_memory", "no more", 3_MiB, tag::activations, "plan:1GiB"};
  put("failed.json", artifact(failed));
  refused(fine, "failed.json");
  series_record truncated = test::scripted_series();
  truncated.executed = {{"batch", 1}};
  put("truncated.json", artifact(truncated));
  refused(fine, "truncated.json");
  series_record processes = test::scripted_series();
  processes.protocol.processes = 2;
  fs::create_directory(path("mixed"));
  put("mixed/a.json", artifact(test::scripted_series()));
  put("mixed/b.json", artifact(processes));
  refused(fine, "mixed");
  refused({"--reason", "x"});
  refused({"--margin", "0 B"});
  refused({"--margin", "0 B", "--reason", "   "});
  refused({"--margin", "0 B", "--reason", "two\nlines"});
  for (const char* const wrong :
       {"nan%", "-1%", "inf", "5", "1e3%", "2000%", "1.234%", "5 %%", "%", "9999999999 TiB", ""}) {
    refused({"--margin", wrong, "--reason", "x"});
  }
  refused({"--margin", "0 B", "--reason", "x", "--limit", "allocated_paek"});
  refused({"--margin", "0 B", "--reason", "x", "--limit", "reserved_current"});
  refused({"--margin", "0 B", "--reason", "x", "--limit", "/phase_limits/0/limits/allocated_peak"});
  refused({"--margin", "0 B", "--reason", "x", "--write", "--output", path("n.json")});
  expect_golden("cli/update_refused.txt", all);
  EXPECT_EQ(text("budget.json"), start_text);
}

TEST(Margin, IsRoundedUp) {
  EXPECT_EQ(parse_margin("5%").above(1000_B), 1050_B);
  EXPECT_EQ(parse_margin("5 %").above(1001_B), 1052_B);
  EXPECT_EQ(parse_margin("0.01%").above(1_B), 2_B);
  EXPECT_EQ(parse_margin("2.5%").above(200_B), 205_B);
  EXPECT_EQ(parse_margin("0%").above(7_B), 7_B);
  EXPECT_EQ(parse_margin("1000%").above(7_B), 77_B);
  EXPECT_EQ(parse_margin("64 MiB").above(1_MiB), 65_MiB);
  EXPECT_THROW(static_cast<void>(parse_margin("1000%").above(bytes{1LL << 62})), usage_error);
}

}  // namespace
}  // namespace headroom::cli
