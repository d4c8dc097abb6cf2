// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "options.hpp"

#include <gmock/gmock.h>

#include <headroom/core/error.hpp>

namespace headroom::kernels {
namespace {

using testing::ElementsAre;

std::string refusal(const std::string& argument) {
  try {
    static_cast<void>(read_checkpointing_options({argument}));
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(CheckpointingOptions, NoneIsAlwaysThereAndFirst) {
  EXPECT_EQ(read_checkpointing_options({}).policies.front(), "none");
  EXPECT_THAT(read_checkpointing_options({"--policies=sqrt,every_3"}).policies,
              ElementsAre("none", "sqrt", "every_3"));
  EXPECT_THAT(read_checkpointing_options({"--policies=sqrt,none,sqrt"}).policies,
              ElementsAre("none", "sqrt"));
}

TEST(CheckpointingOptions, AreReadFromArguments) {
  const checkpointing_options read =
      read_checkpointing_options({"--layers=4,8,4", "--batch=2", "--context=3", "--width=5",
                                  "--dtype=bfloat16", "--device=plan:1GB", "--artifacts=some/where",
                                  "--benchmark_min_time=1", "--benchmark_out=a.json"});
  EXPECT_THAT(read.layers, ElementsAre(4, 8));
  EXPECT_EQ(read.device.capacity, 1_GB);
  EXPECT_EQ(read.artifact_folder, "some/where");
  EXPECT_EQ(read.output, "a.json");
  EXPECT_TRUE(read.own_table);
  EXPECT_THAT(read.for_benchmark, ElementsAre("--benchmark_min_time=1", "--benchmark_out=a.json"));
  const workload_description row = read.training("sqrt", 8);
  EXPECT_EQ(row.requested, (dimensions{{"batch", 2}, {"context", 3}, {"width", 5}, {"layers", 8}}));
  EXPECT_EQ(row.dtype, "bfloat16");
  EXPECT_EQ(row.find_option("checkpointing"), "sqrt");
  EXPECT_FALSE(read_checkpointing_options({"--benchmark_format=json"}).own_table);
}

TEST(CheckpointingOptions, RefuseWhatTheyDoNotKnowAndSayWhatToWrite) {
  EXPECT_EQ(refusal("--layer=4"), "\"--layer=4\": there is no such argument; --help lists them");
  EXPECT_EQ(refusal("16"), "\"16\": there is no such argument; --help lists them");
  EXPECT_EQ(refusal("--layers=4,x"),
            "--layers=x: not a whole number; write --layers=16, for example");
  EXPECT_EQ(refusal("--width=1.5"),
            "--width=1.5: not a whole number; write --width=16, for example");
  EXPECT_EQ(refusal("--policies=none,,sqrt"),
            "--policies=none,,sqrt: an empty entry; write entries with one comma between");
  EXPECT_THAT(refusal("--layers="), testing::HasSubstr("an empty entry"));
  EXPECT_THAT(refusal("--device=gpu"), testing::HasSubstr("no such device"));
}

TEST(CheckpointingOptions, HelpFitsAScreen) {
  EXPECT_TRUE(read_checkpointing_options({"--help"}).help);
  std::istringstream lines(checkpointing_help());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_LE(count, 30);
}

}  // namespace
}  // namespace headroom::kernels
