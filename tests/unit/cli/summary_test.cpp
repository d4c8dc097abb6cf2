// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <headroom/series/artifact.hpp>
#include <headroom/series/verdict.hpp>
#include <nlohmann/json.hpp>

#include "run_headroom.hpp"
#include "support/golden.hpp"
#include "support/scripted_series.hpp"
#include "support/temporary_folder.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;
using test::at_most;
using test::end_of;
using test::expect_golden;
using test::scripted_budget;
using test::scripted_series;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Summary : public ::testing::Test {
 protected:
  void write(const std::string& name, const series_record& series, const budget& against) {
    std::ofstream(path() / name) << artifact_text(series, judge(series, against), &against);
  }
  void write_within() { write("within.json", scripted_series(), scripted_budget()); }
  void write_exceeded() {
    budget tight = scripted_budget();
    tight.name = "tight";
    tight.limits[counter_id::allocated_peak] = at_most(6_MiB - 1_B);
    write("exceeded.json", scripted_series(), tight);
  }
  void write_unknown() {
    series_record series = scripted_series();
    end_of(series, 4)[counter_id::reserved_peak].reset();
    write("unknown.json", series, scripted_budget());
  }
  void write_failed(const char* kind) {
    series_record series = scripted_series();
    series.phases[5].status = phase_status::failed;
    series.phases[5].error = phase_error{kind, "no more", 1_GiB, tag::activations, "plan:1GiB"};
    write("failed.json", series, scripted_budget());
  }
  void write_without_phases(const char* name, const char* setup_error, const char* skipped) {
    series_record series = scripted_series();
    series.phases.clear();
    if (setup_error != nullptr) series.setup_error = setup_error;
    if (skipped != nullptr) series.skipped = skipped;
    write(name, series, scripted_budget());
  }
  /// As a process leaves it that was killed in the middle.
  void write_started() {
    const budget against = scripted_budget();
    const artifact_file file(path(), "Scripted.FitsBudget", "plan:1GiB", &against);
    fs::rename(file.start_path(), path() / "killed.started.json");
  }
  void write_text(const std::string& name, const std::string& text) {
    std::ofstream(path() / name) << text;
  }

  [[nodiscard]] ended summary(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"summary", path().string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_headroom(arguments);
  }
  [[nodiscard]] std::string shown(const std::string& text) const {
    return without_folder(text, path().string());
  }
  [[nodiscard]] const fs::path& path() const { return folder_.path(); }

 private:
  test::temporary_folder folder_;
};

TEST_F(Summary, WithinIsGreen) {
  write_within();
  const ended got = summary();
  EXPECT_EQ(got.code, exit_code::done);
  EXPECT_EQ(got.err, "");
  EXPECT_LE(test::longest_line(got.out), 80U);
  expect_golden("cli/summary_within.txt", shown(got.out));
}

TEST_F(Summary, ShowsEveryOutcomeAndTheTotals) {
  write_within();
  write_exceeded();
  write_unknown();
  write_failed("out_of_memory");
  write_without_phases("setup.json", "the meter saw nothing", nullptr);
  write_without_phases("skipped.json", nullptr, "no GPU");
  const ended got = summary();
  EXPECT_EQ(got.code, exit_code::workload_failed);
  EXPECT_EQ(got.err, "");
  EXPECT_LE(test::longest_line(shown(got.out)), 80U);
  expect_golden("cli/summary_every_outcome.txt", shown(got.out));
}

TEST_F(Summary, ASeriesWithoutABudgetMetNothing) {
  const series_record series = scripted_series();
  std::ofstream(path() / "free.json")
      << artifact_text(series, judge_without_budget(series), nullptr);
  const ended shown = run_headroom({"summary", path().string()});
  EXPECT_EQ(shown.code, exit_code::done);
  EXPECT_THAT(shown.out, HasSubstr("no budget: measured, nothing was judged\n"));
  EXPECT_THAT(shown.out, Not(HasSubstr("no budget: within")));
}

TEST_F(Summary, ALimitThatIsOverByOneByteShowsAMinus) {
  write_exceeded();
  const ended got = summary();
  EXPECT_EQ(got.code, exit_code::exceeded);
  EXPECT_THAT(got.out, HasSubstr("allocated peak      6.00 MiB   6.00 MiB      -1 B\n"));
}

TEST_F(Summary, TheWorstDecidesTheExitCode) {
  write_within();
  write_exceeded();
  EXPECT_EQ(summary().code, exit_code::exceeded);
  write_without_phases("skipped.json", nullptr, "no GPU");
  EXPECT_EQ(summary().code, exit_code::no_device);
  write_unknown();
  EXPECT_EQ(summary().code, exit_code::unknown);
  write_failed("workload_error");
  EXPECT_EQ(summary().code, exit_code::workload_failed);
  write_text("noise.json", "{}");
  EXPECT_EQ(summary().code, exit_code::invalid_input);
}

TEST_F(Summary, AFigureOfAFailedRunIsNotCalledHeadroom) {
  write_failed("out_of_memory");
  EXPECT_THAT(summary().out, HasSubstr("allocated peak  "));
  EXPECT_THAT(summary().out, ContainsRegex("allocated peak +6.00 MiB +6.00 MiB +unknown"));
}

TEST_F(Summary, ASetupErrorIsUnknown) {
  write_without_phases("setup.json", "the meter saw nothing", nullptr);
  EXPECT_EQ(summary().code, exit_code::unknown);
}

TEST_F(Summary, AKilledSeriesIsShownAsNotFinished) {
  write_started();
  const ended got = summary();
  EXPECT_EQ(got.code, exit_code::unknown);
  EXPECT_THAT(got.out, HasSubstr("scripted: started, not finished: nothing was measured\n"
                                 "  test       Scripted.FitsBudget\n  device     plan:1GiB\n"));
  EXPECT_THAT(got.out, HasSubstr("1 series: 1 not finished\n"));
}

TEST_F(Summary, AStartRecordBesideItsArtifactIsNotASeries) {
  write_started();
  write("killed.json", scripted_series(), scripted_budget());
  EXPECT_THAT(summary().out, HasSubstr("1 series: 1 within budget\n"));
}

TEST_F(Summary, LimitsOfColdAndWarmStandApart) {
  budget against = scripted_budget();
  against.limits[counter_id::allocated_peak].reset();
  against.cold_limits[counter_id::allocated_peak] = at_most(8_MiB);
  against.warm_limits[counter_id::allocated_peak] = at_most(7_MiB);
  limit waived;
  waived.waived = "kept on purpose";
  against.limits[counter_id::reserved_current] = waived;
  write("apart.json", scripted_series(), against);
  expect_golden("cli/summary_apart.txt", shown(summary().out));
}

TEST_F(Summary, AnExceededPhaseHasItsRow) {
  budget against = scripted_budget();
  phase_limits inputs{"inputs", {}};
  inputs.limits[counter_id::allocated_peak] = at_most(1_MiB);
  against.per_phase.push_back(inputs);
  write("phase.json", scripted_series(), against);
  EXPECT_THAT(summary().out, HasSubstr("allocated peak, inputs   1.00 MiB   4.00 MiB  -3.00 MiB"));
}

TEST_F(Summary, AnArtifactThatIsNoneIsReportedAndTheOthersAreShown) {
  write_within();
  write_text("broken.json", "{\"schema\": \"headroom-artifact/1\"");
  write_text("future.json", "{\"schema\": \"headroom-artifact/2\"}");
  write_text("other.started.json", "{\"schema\": \"headroom-start/1\", \"id\": 7}");
  const ended got = summary();
  EXPECT_EQ(got.code, exit_code::invalid_input);
  expect_golden("cli/summary_not_artifacts.txt", shown(got.err));
  EXPECT_THAT(got.out, HasSubstr("4 series: 3 not an artifact, 1 within budget\n"));
}

TEST_F(Summary, NothingFoundIsAFault) {
  const ended got = summary();
  EXPECT_EQ(got.code, exit_code::invalid_input);
  EXPECT_EQ(shown(got.err),
            "headroom: no artifact in \"FOLDER\"; run a budget test, or name the folder of "
            "HEADROOM_ARTIFACT_DIR\n");
}

TEST_F(Summary, APathThatIsNotThereIsAFault) {
  const ended got = summary({path() / "missing"});
  EXPECT_EQ(got.code, exit_code::invalid_input);
  EXPECT_EQ(shown(got.err), "headroom: FOLDER/missing: there is no such file or folder\n");
  EXPECT_EQ(run_headroom({"summary"}).code, exit_code::invalid_input);
}

TEST_F(Summary, AMeasurementIsNotCalledAPrediction) {
  series_record series = scripted_series();
  series.devices[0].info.kind = device_kind::cuda;
  write("gpu.json", series, scripted_budget());
  const ended got = summary();
  EXPECT_EQ(got.code, exit_code::done);
  EXPECT_THAT(got.out, HasSubstr("(measurement)"));
  EXPECT_THAT(got.out, Not(HasSubstr("prediction")));
}

TEST_F(Summary, HostileTextsAreShownSafely) {
  series_record series = scripted_series();
  series.test = "evil\x1b[2J\r\n\xe2\x80\xaetest";
  write("hostile.json", series, scripted_budget());
  EXPECT_THAT(summary().out, HasSubstr(R"(test       evil\u001b[2J\r\n\u202etest)"));
}

TEST_F(Summary, JsonIsOneDocument) {
  write_within();
  write_exceeded();
  write_started();
  const ended got = summary({"--json"});
  EXPECT_EQ(got.code, exit_code::unknown);
  const auto document = nlohmann::json::parse(got.out);
  EXPECT_EQ(document.at("schema"), "headroom-summary/1");
  ASSERT_EQ(document.at("artifacts").size(), 2U);
  const auto& over = document.at("artifacts").at(0);
  EXPECT_EQ(over.at("outcome"), "exceeded");
  EXPECT_EQ(over.at("budget"), "tight");
  EXPECT_EQ(over.at("prediction"), true);
  EXPECT_EQ(over.at("limits").at(1).at("counter"), "allocated_peak");
  EXPECT_EQ(over.at("limits").at(1).at("headroom_bytes"), -1);
  EXPECT_EQ(document.at("unfinished").at(0).at("device"), "plan:1GiB");
  EXPECT_EQ(document.at("totals").at("not finished"), 1);
}

}  // namespace
}  // namespace headroom::cli
