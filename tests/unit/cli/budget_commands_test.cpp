// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <headroom/core/budget_file.hpp>
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

class BudgetCommand : public ::testing::Test {
 protected:
  void SetUp() override { fs::current_path(HEADROOM_SOURCE_DIR); }
  void TearDown() override { fs::current_path(before_); }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  ended make(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{
        "budget", "new",       "--output", file("b.json"), "--workload", "dense",    "--batch",
        "2",      "--context", "128",      "--width",      "1024",       "--layers", "4"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_headroom(arguments);
  }
  const fs::path before_ = fs::current_path();
  const test::temporary_folder folder_;
};

TEST_F(BudgetCommand, ANewBudgetIsValidAndHoldsTheSeriesThatItCameFrom) {
  for (const char* const operation : {"forward", "train"}) {
    const ended made = make({"--operation", operation, "--device", "plan:24GB"});
    ASSERT_EQ(made.code, exit_code::done) << made.err;
    const ended judged = run_headroom({"measure", "--quiet", "--budget", file("b.json"), "--device",
                                       "plan:24GB", "--output", file("a.json")});
    EXPECT_EQ(judged.code, exit_code::done) << judged.out;
    const budget read = read_budget(file("b.json"));
    ASSERT_EQ(read.weights.size(), 1U);
    EXPECT_EQ(read.weights[0].parameters, 4'198'400);
    EXPECT_TRUE(read.limits[counter_id::allocated_peak]->at_most_is_envelope);
    for (const reserve_item& each : read.reserve) {
      EXPECT_EQ(each.basis, basis::assumed);
      EXPECT_THAT(each.why, HasSubstr("say what makes it up"));
    }
    fs::remove(file("b.json"));
    fs::remove(file("a.json"));
  }
}

TEST_F(BudgetCommand, ANewBudgetIsTheSameFromItsArtifact) {
  EXPECT_EQ(make({"--device", "plan:24GB"}).code, exit_code::done);
  EXPECT_EQ(run_headroom({"measure", "--quiet", "--workload", "dense", "--batch", "2", "--context",
                          "128", "--width", "1024", "--layers", "4", "--device", "plan:24GB",
                          "--output", file("a.json")})
                .code,
            exit_code::done);
  const ended got = run_headroom({"budget", "new", "--output", "-", "--artifact", file("a.json")});
  EXPECT_EQ(got.code, exit_code::done);
  std::ifstream in(file("b.json"));
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(got.out, text.str());
  expect_golden("cli/budget_new.json", got.out);
}

TEST_F(BudgetCommand, AWorkloadWithoutAFormulaTakesWhatTheWeightsHeld) {
  const ended got =
      run_program(odd_program(), ODD_PROGRAM,
                  {"budget", "new", "--output", "-", "--size", "3", "--device", "plan:1GB"});
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  EXPECT_EQ(json::parse(got.out)["weights"][0]["parameters"], 3 * 1024 * 1024 / 4);
}

TEST_F(BudgetCommand, NoBudgetComesFromAFailure) {
  const ended got = make({"--device", "plan:30MB"});
  EXPECT_EQ(got.code, exit_code::workload_failed);
  EXPECT_FALSE(fs::exists(file("b.json")));
  EXPECT_EQ(make({"--device", "cuda:4000"}).code, exit_code::no_device);
  std::ofstream(file("b.json")) << "mine";
  EXPECT_EQ(make({"--device", "plan:24GB"}).code, exit_code::no_output);
  EXPECT_EQ(run_headroom({"budget", "new"}).code, exit_code::invalid_input);
}

TEST_F(BudgetCommand, ShowSaysHowTheLimitsComeTogether) {
  const ended got =
      run_headroom({"budget", "show", "budgets/dense_train_typical_accumulated.json"});
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  EXPECT_LE(test::longest_line(got.out), 80U);
  expect_golden("cli/budget_show.txt", got.out);
  const json document = json::parse(
      run_headroom({"budget", "show", "budgets/dense_forward_typical.json", "--json"}).out);
  EXPECT_EQ(document["weights_bytes"], 16'793'600);
  EXPECT_EQ(document["limits"]["allocated_peak"]["envelope"], true);
}

TEST_F(BudgetCommand, ShowNamesDevicesWaiversAndHistory) {
  for (const char* const name : {"devices", "waived", "history_of_bounds", "cold_and_warm_apart"}) {
    const ended got = run_headroom(
        {"budget", "show", std::string("tests/schema/budget/accept/") + name + ".json"});
    EXPECT_EQ(got.code, exit_code::done) << got.err;
    EXPECT_LE(test::longest_line(got.out), 80U);
    expect_golden(std::string("cli/budget_show_") + name + ".txt", got.out);
  }
}

TEST_F(BudgetCommand, ValidatePrintsEveryFault) {
  const ended fine = run_headroom({"budget", "validate", "budgets/dense_forward_typical.json",
                                   "budgets/dense_forward_limit.json"});
  EXPECT_EQ(fine.code, exit_code::done);
  EXPECT_EQ(fine.out,
            "budgets/dense_forward_typical.json: valid\nbudgets/dense_forward_limit.json: valid\n");
  const ended wrong = run_headroom({"budget", "validate", "budgets/dense_forward_typical.json",
                                    "tests/schema/budget/reject/missing_every_counter.json"});
  EXPECT_EQ(wrong.code, exit_code::invalid_input);
  EXPECT_THAT(wrong.err, HasSubstr("missing_every_counter.json:"));
  EXPECT_EQ(run_headroom({"budget", "validate"}).code, exit_code::invalid_input);
  EXPECT_EQ(run_headroom({"budget", "show"}).code, exit_code::invalid_input);
}

TEST_F(BudgetCommand, TheGroupIsExplained) {
  const ended help = run_headroom({"budget", "--help"});
  EXPECT_EQ(help.code, exit_code::done);
  expect_golden("cli/help_budget.txt", help.out);
  EXPECT_EQ(run_headroom({"budget"}).err,
            "headroom: half of a command: \"budget\"; the commands are \"budget new\", \"budget "
            "show\" and \"budget validate\"\n");
  EXPECT_EQ(run_headroom({"budget", "shwo"}).err,
            "headroom: unknown command \"budget shwo\"; write \"budget show\"\n");
}

}  // namespace
}  // namespace headroom::cli
