// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <headroom/cli/run.hpp>

#include <gmock/gmock.h>

#include <streambuf>

#include "run_headroom.hpp"
#include "support/golden.hpp"

namespace headroom::cli {
namespace {

using test::expect_golden;
using testing::HasSubstr;
using testing::StartsWith;

class Help : public ::testing::TestWithParam<std::string> {};

TEST_P(Help, HasAnExampleAndFitsEightyColumns) {
  const ended help = run_headroom({GetParam(), "--help"});
  EXPECT_EQ(help.code, exit_code::done);
  EXPECT_EQ(help.err, "");
  EXPECT_THAT(help.out, HasSubstr("\nexample:\n  headroom " + GetParam()));
  EXPECT_LE(test::longest_line(help.out), 80U);
  expect_golden("cli/help_" + GetParam() + ".txt", help.out);
  EXPECT_EQ(run_headroom({GetParam(), "-h"}).out, help.out);
}

INSTANTIATE_TEST_SUITE_P(Commands, Help, ::testing::Values("replay", "summary"),
                         [](const auto& each) { return each.param; });

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
  EXPECT_EQ(run_headroom({"tensorflow"}).err,
            "headroom: unknown command \"tensorflow\"; the commands are \"summary\" and "
            "\"replay\"\n");
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
  EXPECT_EQ(run(arguments, {in, out, err}), 4);
  EXPECT_EQ(err.str(), "headroom: standard output could not be written; is the disk full?\n");
}

}  // namespace
}  // namespace headroom::cli
