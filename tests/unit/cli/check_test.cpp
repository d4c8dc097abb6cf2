// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <headroom/core/budget_file.hpp>
#include <headroom/series/artifact.hpp>
#include <nlohmann/json.hpp>

#include "run_headroom.hpp"
#include "support/golden.hpp"
#include "support/scripted_series.hpp"
#include "support/temporary_folder.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;
using test::expect_golden;
using testing::HasSubstr;
using testing::Not;
using json = nlohmann::json;

constexpr const char* budget_text = R"({
  "schema": "headroom-budget/1", "name": "scripted",
  "workload": {"name": "scripted", "operation": "forward", "revision": "1", "seed": 7,
               "dtype": "float32", "dimensions": {"batch": 2}},
  "protocol": {"warmup": 1, "repeats": 2},
  "weights": [{"name": "linear", "parameters": 1048576, "bits": 32, "compute": "float32"}],
  "reserve": [{"name": "activations", "size": "2 MiB", "basis": "computed", "why": "one tensor"}],
  "limits": {
    "allocated_peak": "envelope",
    "reserved_peak": "20 MiB",
    "allocated_current": "4 MiB",
    "reserved_current": "20 MiB"
  }
})";

class Check : public ::testing::Test {
 protected:
  Check() { std::ofstream(folder_.path() / "budget.json") << budget_text; }

  void write(const std::string& name, const series_record& series) const {
    fs::create_directories(folder_.path() / "a");
    std::ofstream(folder_.path() / "a" / name)
        << artifact_text(series, judge_without_budget(series), nullptr);
  }
  /// Every kind of end, with names in the order in which they are shown.
  void write_all() const {
    write("1-within.json", test::scripted_series());
    series_record over = test::scripted_series();
    test::end_of(over, 4)[counter_id::allocated_peak] = 6_MiB + 1_B;
    write("2-over.json", over);
    series_record missing = test::scripted_series();
    test::end_of(missing, 4)[counter_id::reserved_peak].reset();
    write("3-unknown.json", missing);
    series_record failed = test::scripted_series();
    failed.phases[4].status = phase_status::failed;
    failed.phases[4].error = {"out_of_memory", "no more", 3_MiB, tag::activations, "plan:1GiB"};
    failed.phases.resize(5);
    write("4-failed.json", failed);
    series_record skipped = test::scripted_series();
    skipped.skipped = "no GPU";
    skipped.phases.clear();
    write("5-skipped.json", skipped);
    series_record other = test::scripted_series();
    other.workload.seed = 8;
    write("6-other.json", other);
    std::ofstream(folder_.path() / "a" / "7-broken.json") << "{";
    std::ofstream(folder_.path() / "a" / "8.started.json") << R"({"schema": "headroom-start/1",
      "id": "0", "created": "2026-11-29T12:00:00Z", "test": "", "device": "cpu", "process": 1,
      "budget": null, "artifact": "8.json"})";
  }
  ended check(const std::vector<std::string>& more, const std::string& what = "a") const {
    std::vector<std::string> arguments{"check", "--budget",
                                       (folder_.path() / "budget.json").string(),
                                       (folder_.path() / what).string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ended got = run_headroom(arguments);
    got.out = without_folder(got.out, folder_.path().string());
    return got;
  }
  const test::temporary_folder folder_;
};

TEST_F(Check, WithinIsExitZero) {
  write("one.json", test::scripted_series());
  const ended got = check({});
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  EXPECT_EQ(got.out,
            "against scripted, FOLDER/budget.json\n"
            "FOLDER/a/one.json: within budget (prediction), 6 limits kept\n"
            "1 series: 1 within budget\n");
}

TEST_F(Check, AWarningOfAPassIsShown) {
  series_record series = test::scripted_series();
  series.fresh_process = false;
  write("one.json", series);
  const ended got = check({});
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  EXPECT_THAT(got.out, HasSubstr("6 limits kept\n  warning: the cold pass did not run in a fresh "
                                 "process: run one budget"));
  EXPECT_THAT(got.out, HasSubstr("\n    "));
}

TEST_F(Check, EachKindHasItsExitCode) {
  write_all();
  EXPECT_EQ(check({}, "a/2-over.json").code, exit_code::exceeded);
  EXPECT_EQ(check({}, "a/3-unknown.json").code, exit_code::unknown);
  EXPECT_EQ(check({}, "a/4-failed.json").code, exit_code::workload_failed);
  EXPECT_EQ(check({}, "a/5-skipped.json").code, exit_code::no_device);
  EXPECT_EQ(check({}, "a/6-other.json").code, exit_code::unknown);
  EXPECT_EQ(check({}, "a/7-broken.json").code, exit_code::invalid_input);
  EXPECT_EQ(check({}, "a/8.started.json").code, exit_code::unknown);
}

class CheckFormat : public Check, public ::testing::WithParamInterface<std::string> {};

TEST_P(CheckFormat, ShowsEveryKindOfEnd) {
  write_all();
  const ended got = check({"--format", GetParam()});
  EXPECT_EQ(got.code, exit_code::invalid_input);
  EXPECT_EQ(got.err, "");
  expect_golden("cli/check_" + GetParam() + ".txt", got.out);
}

INSTANTIATE_TEST_SUITE_P(Formats, CheckFormat,
                         ::testing::Values("text", "json", "github", "junit", "tap"),
                         [](const auto& each) { return each.param; });

TEST_F(Check, JsonIsOneDocument) {
  write_all();
  const json document = json::parse(check({"--json"}).out);
  EXPECT_EQ(document["artifacts"].size(), 8U);
  EXPECT_EQ(document["artifacts"][1]["outcome"], "exceeded");
  EXPECT_EQ(document["artifacts"][1]["stored_outcome"], "within");
  EXPECT_EQ(document["totals"]["budget exceeded"], 1);
}

TEST_F(Check, HostileTextsStayInTheirPlace) {
  series_record hostile = test::scripted_series();
  hostile.test = "\x1b[2J::error::x\n::set-output name=a::b\r</testsuite>]]>&\" # SKIP";
  test::end_of(hostile, 4)[counter_id::allocated_peak] = 6_MiB + 1_B;
  write("hostile.json", hostile);
  for (const char* const format : {"text", "github", "junit", "tap"}) {
    const std::string out = check({"--format", format}).out;
    EXPECT_EQ(out.find('\x1b'), std::string::npos) << format;
    EXPECT_EQ(out.find("\n::set-output"), std::string::npos) << format << out;
  }
  EXPECT_THAT(check({"--format", "junit"}).out, Not(HasSubstr("</testsuite>]]")));
}

TEST_F(Check, AFutureVersionIsNamed) {
  std::string text = artifact_text(test::scripted_series(),
                                   judge_without_budget(test::scripted_series()), nullptr);
  text.replace(text.find("headroom-artifact/1"), 19, "headroom-artifact/2");
  std::ofstream(folder_.path() / "future.json") << text;
  const ended got = check({}, "future.json");
  EXPECT_EQ(got.code, exit_code::invalid_input);
  EXPECT_THAT(got.out, HasSubstr("which this reader does not know"));
}

TEST_F(Check, AFileOfAnotherKindIsNamed) {
  const ended got = check({}, "budget.json");
  EXPECT_EQ(got.code, exit_code::invalid_input);
  EXPECT_THAT(got.out, HasSubstr("not an artifact"));
}

TEST_F(Check, EveryWrongOptionSaysWhatToWrite) {
  write("one.json", test::scripted_series());
  std::string all;
  const auto refused = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "check");
    const ended got = run_headroom(arguments);
    EXPECT_EQ(got.code, exit_code::invalid_input);
    EXPECT_EQ(got.out, "");
    all += without_folder(got.err, folder_.path().string());
  };
  const std::string budget = (folder_.path() / "budget.json").string();
  const std::string artifact = (folder_.path() / "a").string();
  refused({});
  refused({artifact});
  refused({"--budget", budget});
  refused({"--budget", budget, artifact, "--format", "junti"});
  refused({"--budget", budget, artifact, "--format", "xml"});
  refused({"--budget", budget, artifact, "--format", "tap", "--json"});
  refused({"--budget", budget, (folder_.path() / "nowhere").string()});
  refused({"--budget", budget, artifact, "--formt", "tap"});
  expect_golden("cli/check_wrong_options.txt", all);
  const ended foreign = run_headroom({"check", "--budget", artifact + "/one.json", artifact});
  EXPECT_EQ(foreign.code, exit_code::invalid_input);
  EXPECT_THAT(foreign.err,
              HasSubstr("which this reader does not know; write \"headroom-budget/1\""));
}

}  // namespace
}  // namespace headroom::cli
