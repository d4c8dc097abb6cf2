// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// Completion and manual page come from the same words as --help.

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <fstream>

#include "odd_workloads.hpp"
#include "run_headroom.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace headroom::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// What bash offers for a line whose last word is being typed.
std::string completed(const std::string& words, int count) {
  const test::temporary_folder folder;
  const std::string script = (folder.path() / "completion.bash").string();
  std::ofstream(script) << run_headroom({"completion", "bash"}).out << "COMP_WORDS=(" << words
                        << ")\nCOMP_CWORD=" << count << "\n_headroom\necho \"${COMPREPLY[*]}\"\n";
  std::FILE* const pipe = ::popen(("bash '" + script + "' 2>&1").c_str(), "r");
  std::string text;
  std::array<char, 256> block{};
  while (std::fgets(block.data(), block.size(), pipe) != nullptr) text += block.data();
  ::pclose(pipe);
  return text;
}

TEST(Completion, OffersCommandsAndOptions) {
  EXPECT_EQ(completed("headroom est", 1), "estimate\n");
  EXPECT_EQ(completed("headroom budget ''", 2), "new show validate --help\n");
  EXPECT_EQ(completed("headroom estimate kv-cache --kv", 3), "--kv-heads\n");
  EXPECT_EQ(completed("headroom estimate --par", 2), "--parameters\n");
  EXPECT_EQ(completed("headroom measure --micro", 2), "--microbatches\n");
  EXPECT_EQ(completed("headroom measure --workload de", 3), "dense decoder\n");
  EXPECT_EQ(completed("headroom nonsense --d", 2), "\n");
}

TEST(Completion, AnotherShellIsRefused) {
  const ended got = run_headroom({"completion", "fihs"});
  EXPECT_EQ(got.code, exit_code::invalid_input);
  EXPECT_EQ(got.err, "headroom: completion \"fihs\": write \"bash\"\n");
  EXPECT_EQ(run_headroom({"completion"}).code, exit_code::invalid_input);
}

TEST(Completion, OfATeamsProgramHasItsNameAndSizes) {
  const std::string script = run_program(odd_program(), ODD_PROGRAM, {"completion", "bash"}).out;
  EXPECT_THAT(script, HasSubstr("complete -o default -F _odd_program odd-program\n"));
  EXPECT_THAT(script, HasSubstr("--size"));
  EXPECT_THAT(script, Not(HasSubstr("--microbatches")));
}

TEST(ManualPage, HasEveryCommandWithOptionsAndExample) {
  const ended page = run_headroom({"man"});
  EXPECT_EQ(page.code, exit_code::done);
  EXPECT_THAT(page.out, HasSubstr(".TH HEADROOM 1 \"\" \"headroom 0."));
  for (const char* const command :
       {"estimate", "estimate kv\\-cache", "measure", "sweep", "boundary", "check", "compare",
        "update", "budget new", "summary", "replay"}) {
    EXPECT_THAT(page.out, HasSubstr(std::string(".SS headroom ") + command + "\n"));
  }
  EXPECT_THAT(page.out, HasSubstr("\\fB\\-\\-chart\\fR \\fIFILE.svg\\fR\n"));
  EXPECT_THAT(page.out, HasSubstr("headroom sweep \\-\\-vary batch=1..64*2"));
  EXPECT_THAT(page.out, Not(HasSubstr("\\-\\-process\\fR")));  // not for people
  EXPECT_THAT(page.out, HasSubstr(".SH EXIT STATUS\n"));
}

}  // namespace
}  // namespace headroom::cli
