// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/cli/program.hpp>

#include <gmock/gmock.h>

#include <streambuf>

#include "run_headroom.hpp"
#include "support/golden.hpp"

namespace headroom::cli {
namespace {

using test::expect_golden;
using testing::HasSubstr;
using testing::StartsWith;

/// "estimate_kv_cache" of "estimate kv-cache"
std::string one_word(std::string name) {
  for (char& c : name) c = c == ' ' || c == '-' ? '_' : c;
  return name;
}

std::vector<std::string> words_of(const std::string& name, const std::string& last) {
  std::istringstream in(name);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  words.push_back(last);
  return words;
}

class Help : public ::testing::TestWithParam<std::string> {};

TEST_P(Help, HasAnExampleAndFitsEightyColumns) {
  const ended help = run_headroom(words_of(GetParam(), "--help"));
  EXPECT_EQ(help.code, exit_code::done);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, HasSubstr("\nexample:\n  headroom " + GetParam()));
  EXPECT_LE(test::longest_line(help.out), 80U);
  expect_golden("cli/help_" + one_word(GetParam()) + ".txt", help.out);
  EXPECT_EQ(run_headroom(words_of(GetParam(), "-h")).out, help.out);
}

INSTANTIATE_TEST_SUITE_P(Commands, Help,
                         ::testing::Values("boundary", "budget new", "budget show",
                                           "budget validate", "check", "compare", "completion",
                                           "environment", "estimate", "estimate kv-cache",
                                           "estimate training", "man", "measure", "replay", "run",
                                           "summary", "sweep", "update"),
                         [](const auto& each) { return one_word(each.param); });

TEST(Program, HelpListsTheCommands) {
  const ended help = run_headroom({"--help"});
  EXPECT_EQ(help.code, exit_code::done);
  EXPECT_LE(test::longest_line(help.out), 80U);
  expect_golden("cli/help.txt", help.out);
  EXPECT_EQ(run_headroom({"-h"}).out, help.out);
}

TEST(Program, NoCommandIsAFaultThatShowsTheHelp) {
  const ended help = run_headroom({});
  EXPECT_EQ(help.code, exit_code::invalid_input);
  EXPECT_EQ(help.out, "");
  EXPECT_EQ(help.err, run_headroom({"--help"}).out);
}

TEST(Program, SaysItsVersion) {
  const ended version = run_headroom({"--version"});
  EXPECT_EQ(version.code, exit_code::done);
  EXPECT_THAT(version.out, StartsWith("headroom 0."));
}

TEST(Program, AnUnknownCommandNamesTheNearest) {
  const ended wrong = run_headroom({"repaly", "x.trace"});
  EXPECT_EQ(wrong.code, exit_code::invalid_input);
  EXPECT_EQ(wrong.out, "");
  EXPECT_EQ(wrong.err, "headroom: unknown command \"repaly\"; write \"replay\"\n");
}

TEST(Program, AnUnknownCommandFarFromAllGetsTheList) {
  EXPECT_THAT(run_headroom({"tensorflow"}).err,
              HasSubstr("unknown command \"tensorflow\"; the commands are \"estimate\", "));
}

TEST(Program, ACommandOfTwoWordsNamesTheNearest) {
  EXPECT_EQ(run_headroom({"estimate", "kvcache"}).err,
            "headroom: unknown command \"estimate kvcache\"; write \"estimate kv-cache\"\n");
}

TEST(Program, SaysWhichCommandsRunSeries) {
  const auto runs = [](const std::vector<std::string>& arguments) {
    return runs_series(arguments);
  };
  EXPECT_TRUE(runs({"measure", "--help"}));
  EXPECT_TRUE(runs({"sweep"}));
  EXPECT_TRUE(runs({"boundary"}));
  EXPECT_TRUE(runs({"budget", "new", "--output", "b.json"}));
  for (const char* const other :
       {"estimate", "check", "environment", "budget", "new", "", "--help"}) {
    EXPECT_FALSE(runs({other})) << other;
  }
  EXPECT_FALSE(runs({"budget", "show"}));
  EXPECT_FALSE(runs({}));
}

TEST(Program, ATeamsProgramIsNamedAsItIs) {
  program of;
  of.name = "fluid";
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const std::vector<std::string> help{"estimate", "--help"};
  EXPECT_EQ(run(of, help, {in, out, err}), 0);
  EXPECT_THAT(out.str(), StartsWith("usage: fluid estimate [OPTIONS]\n"));
  EXPECT_THAT(out.str(), HasSubstr("\n  fluid estimate --parameters 7000000000"));
  EXPECT_THAT(out.str(), testing::Not(HasSubstr("headroom estimate")));
  const std::vector<std::string> wrong{"estimat"};
  EXPECT_EQ(run(of, wrong, {in, out, err}), 3);
  EXPECT_EQ(err.str(), "fluid: unknown command \"estimat\"; write \"estimate\"\n");
}

TEST(Program, AHostileCommandIsShownSafely) {
  EXPECT_THAT(run_headroom({"\x1b[2J\xff"}).err, HasSubstr(R"("\u001b[2J\xff")"));
}

TEST(Arguments, AnUnknownOptionNamesTheNearest) {
  const ended wrong = run_headroom({"replay", "x.trace", "--dvice=plan:24GB"});
  EXPECT_EQ(wrong.code, exit_code::invalid_input);
  EXPECT_EQ(wrong.err, "headroom: unknown option \"--dvice\"; write --device\n");
}

TEST(Arguments, AnUnknownOptionFarFromAllPointsAtTheHelp) {
  EXPECT_EQ(run_headroom({"replay", "--frobnicate-everything"}).err,
            "headroom: unknown option \"--frobnicate-everything\"; write one of those that --help "
            "lists\n");
}

TEST(Arguments, AnArgumentTooManyIsNamed) {
  const ended wrong = run_headroom({"replay", "a.trace", "b.trace"});
  EXPECT_EQ(wrong.code, exit_code::invalid_input);
  EXPECT_EQ(wrong.err,
            "headroom: found the argument \"b.trace\" after all that are expected; leave it out\n");
}

TEST(Arguments, AnOptionWithoutItsValueIsNamed) {
  const ended wrong = run_headroom({"replay", "a.trace", "--device"});
  EXPECT_EQ(wrong.code, exit_code::invalid_input);
  EXPECT_THAT(wrong.err, HasSubstr("--device"));
}

TEST(Arguments, AnOptionGivenTwiceIsRefused) {
  const ended wrong =
      run_headroom({"replay", "a.trace", "--device", "plan:1GB", "--device", "plan:2GB"});
  EXPECT_EQ(wrong.code, exit_code::invalid_input);
  EXPECT_THAT(wrong.err, HasSubstr("--device"));
}

/// Takes nothing, as a full disk.
class full_disk : public std::streambuf {
 protected:
  int_type overflow(int_type) override { return traits_type::eof(); }
};

TEST(Program, OutputThatCannotBeWrittenIsExitFour) {
  std::istringstream in;
  full_disk full;
  std::ostream out(&full);
  std::ostringstream err;
  const std::vector<std::string> arguments{"--version"};
  EXPECT_EQ(run(program{}, arguments, {in, out, err}), 4);
  EXPECT_EQ(err.str(), "headroom: standard output could not be written; is the disk full?\n");
}

}  // namespace
}  // namespace headroom::cli
