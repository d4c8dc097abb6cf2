// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <iterator>
#include <string>

namespace headroom {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

const std::filesystem::path accepted =
    std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/schema/budget/accept";

budget example(const char* name) { return read_budget(accepted / name); }

std::string refusal(const std::filesystem::path& file) {
  try {
    (void)read_budget(file);
    return "";
  } catch (const budget_error& error) {
    return error.what();
  }
}

TEST(BudgetFile, ReadsEveryPartOfTheDesignsExample) {
  const budget read = example("design_example.json");
  EXPECT_EQ(read.name, "dense-forward-fp32");
  EXPECT_EQ(read.description, "what this protects, in a sentence");
  EXPECT_EQ(read.workload.name, "dense");
  EXPECT_EQ(read.workload.operation, "forward");
  EXPECT_EQ(read.workload.revision, "1");
  EXPECT_EQ(read.workload.seed, 1234U);
  EXPECT_EQ(read.workload.dtype, "float32");
  EXPECT_THAT(
      read.workload.requested.entries(),
      ElementsAre(Pair("batch", 2), Pair("context", 128), Pair("width", 1024), Pair("layers", 4)));
  EXPECT_THAT(read.workload.options, IsEmpty());
  EXPECT_EQ(read.protocol, (protocol{3, 5}));

  ASSERT_THAT(read.weights, SizeIs(1));
  EXPECT_EQ(read.weights[0].name, "linear");
  EXPECT_EQ(read.weights[0].parameters, 4'198'400);
  EXPECT_EQ(read.weights[0].bits, 32);
  EXPECT_EQ(read.weights[0].compute, "float32");
  ASSERT_THAT(read.reserve, SizeIs(2));
  EXPECT_EQ(read.reserve[1].name, "workspace");
  EXPECT_EQ(read.reserve[1].size, 8_MiB);
  EXPECT_EQ(read.reserve[1].basis, basis::assumed);
  EXPECT_EQ(read.reserve[1].why, "matrix library, not yet measured on this card");

  const auto& allocated_peak = read.limits[counter_id::allocated_peak];
  ASSERT_TRUE(allocated_peak);
  EXPECT_TRUE(allocated_peak->at_most_is_envelope);
  EXPECT_EQ(allocated_peak->line, 16);
  EXPECT_EQ(allocated_peak->pointer, "/limits/allocated_peak");
  const auto& reserved_peak = read.limits[counter_id::reserved_peak];
  EXPECT_EQ(reserved_peak->at_most, 64_MiB);
  EXPECT_FALSE(reserved_peak->at_most_is_envelope);
  EXPECT_EQ(reserved_peak->at_least, std::nullopt);
  EXPECT_EQ(reserved_peak->line, 17);
  const auto& reserved_current = read.limits[counter_id::reserved_current];
  EXPECT_EQ(reserved_current->waived, "the cache is kept between repeats on purpose");
  EXPECT_EQ(reserved_current->at_most, std::nullopt);

  ASSERT_THAT(read.per_phase, SizeIs(1));
  EXPECT_EQ(read.per_phase[0].phase, "inputs");
  EXPECT_EQ(read.per_phase[0].limits[counter_id::allocated_peak]->at_most, 24_MiB);
  EXPECT_EQ(read.per_phase[0].limits[counter_id::allocated_peak]->pointer,
            "/phase_limits/0/limits/allocated_peak");
  EXPECT_EQ(read.per_phase[0].limits[counter_id::reserved_peak], std::nullopt);
  EXPECT_EQ(read.steady_state_growth, 0_B);
  EXPECT_EQ(read.steady_state_line, 22);
  ASSERT_THAT(read.configurations, SizeIs(1));
  EXPECT_EQ(read.configurations[0].name, "RTX 4090");
  EXPECT_EQ(read.configurations[0].device, "NVIDIA GeForce RTX 4090");
  EXPECT_EQ(read.configurations[0].capacity, 24_GB);
  EXPECT_EQ(read.configurations[0].basis, basis::assumed);
  EXPECT_EQ(read.configurations[0].minimum_headroom, 4_GiB);
  EXPECT_EQ(read.configurations[0].line, 24);
  EXPECT_THAT(read.per_device, IsEmpty());
  EXPECT_THAT(read.history, IsEmpty());
  EXPECT_EQ(read.envelope(), bytes{4'198'400 * 4} + 14_MiB);
}

TEST(BudgetFile, KeepsFileAndSource) {
  const auto path = accepted / "minimal.json";
  const budget read = read_budget(path);
  EXPECT_EQ(read.file, path.string());
  std::ifstream in(path, std::ios::binary);
  EXPECT_EQ(read.source, std::string(std::istreambuf_iterator<char>(in), {}));
}

TEST(BudgetFile, DefaultsOfWhatIsLeftOut) {
  const budget read = example("minimal.json");
  EXPECT_EQ(read.description, "");
  EXPECT_EQ(read.protocol, (protocol{3, 5}));
  EXPECT_EQ(read.steady_state_growth, bytes{0});
  EXPECT_EQ(example("protocol_in_part.json").protocol, (protocol{3, 1}));
  EXPECT_EQ(example("no_warmup.json").protocol, (protocol{0, 1}));
}

TEST(BudgetFile, ColdAndWarmApart) {
  const budget read = example("cold_and_warm_apart.json");
  EXPECT_EQ(read.limits[counter_id::reserved_peak], std::nullopt);
  EXPECT_EQ(read.cold_limits[counter_id::reserved_peak]->at_most, 70_MiB);
  EXPECT_EQ(read.cold_limits[counter_id::reserved_peak]->at_least, 1_MiB);
  EXPECT_EQ(read.cold_limits[counter_id::reserved_peak]->pointer, "/limits/cold/reserved_peak");
  EXPECT_EQ(read.warm_limits[counter_id::reserved_peak]->at_most, 64_MiB);
  EXPECT_TRUE(read.warm_limits[counter_id::allocated_peak]->at_most_is_envelope);
}

TEST(BudgetFile, LimitsAndReserveOfDevices) {
  const budget read = example("devices.json");
  ASSERT_THAT(read.per_device, SizeIs(2));
  EXPECT_EQ(read.per_device[0].device, "cuda:0");
  EXPECT_EQ(read.per_device[0].reserve.has_value(), false);
  EXPECT_EQ(read.per_device[0].limits[counter_id::reserved_peak]->at_most, 70_MiB);
  EXPECT_EQ(read.per_device[0].cold_limits[counter_id::reserved_peak]->at_most, 80_MiB);
  EXPECT_EQ(read.per_device[1].device, "Some Card");
  EXPECT_EQ(read.for_device("cuda:1", "Some Card").limits[counter_id::allocated_peak]->at_most,
            bytes{4000} + 9_MiB);
}

TEST(BudgetFile, OptionsDimensionsAndSeed) {
  const budget read = example("options.json");
  EXPECT_THAT(read.workload.options, ElementsAre(Pair("checkpointing", "every_layer")));
  EXPECT_TRUE(read.workload.requested.empty());
  EXPECT_EQ(example("largest_numbers.json").workload.seed, 18'446'744'073'709'551'615U);
}

TEST(BudgetFile, History) {
  const budget read = example("history.json");
  ASSERT_THAT(read.history, SizeIs(1));
  const history_entry& entry = read.history[0];
  EXPECT_EQ(entry.limit, "/limits/reserved_peak");
  EXPECT_EQ(entry.from, 60_MiB);
  EXPECT_EQ(entry.to, 64_MiB);
  EXPECT_EQ(entry.reason, "a second workspace");
  EXPECT_EQ(entry.date, "2026-01-31");
  EXPECT_EQ(entry.artifact_sha256.substr(0, 4), "abab");
  EXPECT_EQ(entry.device, "plan:24GB");
  EXPECT_EQ(entry.revision, "1");
}

TEST(BudgetFile, OnlyTheLastEntryOfALimitHasToMatch) {
  std::string text = example("history.json").source;
  const std::string entry =
      text.substr(text.find("    {\"limit\""), text.find("\n  ]") - text.find("    {\"limit\""));
  std::string older = entry;
  older.replace(older.find("64 MiB"), 6, "60 MiB");
  text.replace(text.find(entry), entry.size(), older + ",\n" + entry);
  EXPECT_NO_THROW((void)parse_budget(text, "f"));
  text.replace(text.find(older + ",\n" + entry), older.size() + 2 + entry.size(),
               entry + ",\n" + older);
  EXPECT_THROW((void)parse_budget(text, "f"), budget_error);
}

TEST(BudgetFile, FilesThatCannotBeRead) {
  EXPECT_EQ(refusal(accepted),
            accepted.string() + ": this is a directory; give the path of a file");
  EXPECT_EQ(refusal("no/such/budget.json"),
            "no/such/budget.json: there is no such file; give the path of a file");
}

TEST(BudgetFile, ProblemsComeInTheOrderOfTheFile) {
  try {
    (void)parse_budget("{\n\"name\": 1,\n\"name\": 2,\n\"limits\": {},\n\"schema\": 3\n}", "f");
    FAIL() << "accepted";
  } catch (const budget_error& error) {
    int line = 0;
    for (const file_problem& problem : error.problems()) {
      EXPECT_LE(line, problem.line);
      line = problem.line;
      EXPECT_EQ(problem.file, "f");
    }
    EXPECT_THAT(error.problems(), SizeIs(10));
    EXPECT_THAT(error.what(), HasSubstr("f:5: /schema: found the number 3, which"));
  }
}

}  // namespace
}  // namespace headroom
