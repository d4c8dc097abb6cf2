// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "run.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <headroom/core/size_text.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/temporary_folder.hpp"

namespace headroom::kernels {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* policies[] = {"none", "selective", "every_layer", "every_2", "sqrt"};
constexpr const char* memory_fields[] = {
    "cold_allocated_current", "cold_allocated_peak", "cold_reserved_current", "cold_reserved_peak",
    "warm_allocated_current", "warm_allocated_peak", "warm_reserved_current", "warm_reserved_peak"};

struct ended {
  int code = 0;
  std::string out;
  std::string err;
  json document;
  std::map<std::string, json> rows;  // by POLICY/layers:N

  const json& row(const std::string& policy, int layers) const {
    return rows.at(fmt::format("{}/layers:{}", policy, layers));
  }
};

class CheckpointingBenchmark : public testing::Test {
 protected:
  /// Runs small sizes; later arguments win. Google Benchmark remembers its flags, so each is given.
  ended run(std::vector<std::string> more) {
    const std::filesystem::path file = folder_.path() / fmt::format("{}.json", ++runs_);
    std::vector<std::string> arguments{"--device=cpu",
                                       "--policies=selective,every_layer,every_2,sqrt",
                                       "--layers=4,9",
                                       "--batch=2",
                                       "--context=16",
                                       "--width=32",
                                       "--benchmark_min_time=0.001",
                                       "--benchmark_filter=.",
                                       "--artifacts=" + artifacts().string(),
                                       "--benchmark_out=" + file.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::ostringstream out;
    std::ostringstream err;
    ended result;
    result.code = run_checkpointing_benchmark(arguments, out, err, false);
    result.out = out.str();
    result.err = err.str();
    std::ifstream written(file);
    if (!written) return result;
    result.document = json::parse(written);
    for (const json& row : result.document.at("benchmarks")) {
      std::string name = row.at("run_name");
      name = name.substr(std::string("checkpointing/").size());
      result.rows[name.substr(0, name.rfind('/'))] = row;
    }
    return result;
  }
  std::filesystem::path artifacts() const { return folder_.path() / "artifacts"; }

  test::temporary_folder folder_;
  int runs_ = 0;
};

std::string mebibytes(double size) { return fmt::format("{:.2f}", size / (1 << 20)); }

TEST_F(CheckpointingBenchmark, EachRowOfTheJsonHasEachField) {
  const ended all = run({});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(all.rows.size(), 10U);
  const json& context = all.document.at("context");
  EXPECT_EQ(context.at("headroom_workload"),
            "training step of a dense network, float32: batch 2, context 16, width 32");
  EXPECT_THAT(context.at("headroom_device").get<std::string>(), testing::StartsWith("cpu "));
  for (const int layers : {4, 9}) {
    const json& none = all.row("none", layers);
    for (const char* policy : policies) {
      SCOPED_TRACE(fmt::format("{} {}", policy, layers));
      const json& row = all.row(policy, layers);
      EXPECT_FALSE(row.contains("error_occurred"));
      EXPECT_GT(row.at("real_time").get<double>(), 0.0);
      EXPECT_EQ(row.at("time_unit"), "ms");
      for (const char* field : memory_fields) EXPECT_GT(row.at(field).get<double>(), 0.0) << field;
      const auto worst = [](const json& of, const std::string& counter) {
        return std::max(of.at("cold_" + counter).get<double>(),
                        of.at("warm_" + counter).get<double>());
      };
      for (const char* counter : {"allocated_peak", "reserved_peak"}) {
        EXPECT_EQ(row.at(std::string("saved_") + counter).get<double>(),
                  worst(none, counter) - worst(row, counter));
      }
      EXPECT_NEAR(row.at("time_against_none").get<double>(),
                  row.at("real_time").get<double>() / none.at("real_time").get<double>(), 1e-9);
      EXPECT_TRUE(row.at("dominated") == 0.0 || row.at("dominated") == 1.0);
      // The peak of a whole life is that of the training steps: loading takes less.
      EXPECT_EQ(row.at("max_bytes_used").get<double>(), worst(row, "allocated_peak"));
      EXPECT_EQ(row.at("net_heap_growth"), 0);
      EXPECT_THAT(row.at("label").get<std::string>(), HasSubstr("cpu: prediction, not a GPU"));
    }
    EXPECT_EQ(none.at("time_against_none"), 1.0);
    EXPECT_GT(all.row("sqrt", layers).at("saved_allocated_peak").get<double>(), 0.0);
  }
}

TEST_F(CheckpointingBenchmark, TheTableShowsWhatTheJsonHas) {
  const ended all = run({});
  std::istringstream lines(all.out);
  std::string line;
  int layers = 0;
  int compared = 0;
  while (std::getline(lines, line)) {
    EXPECT_LE(line.size(), 80U) << line;
    if (line.find(" layers, bytes in MiB") != std::string::npos) layers = std::stoi(line);
    const bool marked = line.starts_with("*");
    std::istringstream words(marked ? line.substr(1) : line);
    std::vector<std::string> found(std::istream_iterator<std::string>(words), {});
    if (layers == 0 || found.size() < 7 || found[0] == "policy" || found[0] == "another") continue;
    SCOPED_TRACE(line);
    const json& row = all.row(found[0], layers);
    EXPECT_EQ(found[1], fmt::format("{:.1f}", row.at("real_time").get<double>()));
    EXPECT_EQ(found[2], fmt::format("{:.2f}", row.at("time_against_none").get<double>()));
    int column = 3;
    for (const char* counter :
         {"allocated_current", "allocated_peak", "reserved_current", "reserved_peak"}) {
      const double worst = std::max(row.at(std::string("cold_") + counter).get<double>(),
                                    row.at(std::string("warm_") + counter).get<double>());
      EXPECT_EQ(found[static_cast<std::size_t>(column++)], mebibytes(worst));
    }
    const bytes saved{row.at("saved_allocated_peak").get<std::int64_t>()};
    const std::string shown = saved.n == 0 ? "nothing" : format_binary(saved);
    EXPECT_TRUE(line.ends_with(found[0] == "none" ? found[6] : "  " + shown));
    EXPECT_EQ(marked, row.at("dominated") == 1.0);
    ++compared;
  }
  EXPECT_EQ(compared, 10);
  EXPECT_THAT(all.out, HasSubstr("device cpu "));
  EXPECT_THAT(all.out, HasSubstr("prediction, not a GPU measurement"));
}

TEST_F(CheckpointingBenchmark, EachRowHasAnArtifactWithItsExactBytesAndTheComparison) {
  const ended all = run({});
  int compared = 0;
  for (const auto& file : std::filesystem::directory_iterator(artifacts())) {
    const stored_artifact artifact = read_artifact(file.path());
    const series_record& series = artifact.series;
    EXPECT_EQ(artifact.result.outcome, outcome::within);
    const std::string policy = series.workload.find_option("checkpointing").value();
    const auto layers = static_cast<int>(series.workload.requested.at("layers"));
    SCOPED_TRACE(fmt::format("{} {}", policy, layers));
    EXPECT_EQ(series.test, fmt::format("checkpointing/{}/layers:{}", policy, layers));
    const json& row = all.row(policy, layers);
    for (const phase_record& phase : series.phases) {
      if (!series.is_judged_pass(phase)) continue;
      for (const counter_id counter : all_counters) {
        EXPECT_EQ(row.at(fmt::format("{}_{}", name_of(phase.pass), name_of(counter))).get<double>(),
                  static_cast<double>(phase.readings.at(0).end[counter].value().n));
      }
    }
    const bool has_outputs = std::any_of(series.checks.begin(), series.checks.end(),
                                         [](const check& each) { return each.name == "outputs"; });
    EXPECT_EQ(has_outputs, policy != "none");
    ++compared;
  }
  EXPECT_EQ(compared, 10);
}

TEST_F(CheckpointingBenchmark, FiguresOfMemoryAreEqualInRepeatedRunsAndOnThePlan) {
  const ended first = run({});
  const ended second = run({});
  const ended plan = run({"--device=plan:24GB"});
  ASSERT_EQ(first.rows.size(), 10U);
  for (const auto& [name, row] : first.rows) {
    for (const char* field : memory_fields) {
      EXPECT_EQ(row.at(field), second.rows.at(name).at(field)) << name << " " << field;
      EXPECT_EQ(row.at(field), plan.rows.at(name).at(field)) << name << " " << field;
    }
    for (const char* field : {"saved_allocated_peak", "saved_reserved_peak"}) {
      EXPECT_EQ(row.at(field), second.rows.at(name).at(field)) << name << " " << field;
      EXPECT_EQ(row.at(field), plan.rows.at(name).at(field)) << name << " " << field;
    }
  }
}

TEST_F(CheckpointingBenchmark, APlanHasNoTimeOfWork) {
  const ended plan = run({"--device=plan:24GB"});
  EXPECT_EQ(plan.code, 0);
  for (const auto& [name, row] : plan.rows) {
    EXPECT_FALSE(row.contains("time_against_none")) << name;
    EXPECT_FALSE(row.contains("dominated")) << name;
    EXPECT_THAT(row.at("label").get<std::string>(), HasSubstr("no work was done"));
  }
  EXPECT_THAT(plan.out, HasSubstr("No work was done: time is not measured."));
  EXPECT_THAT(plan.out, HasSubstr("   none            -     -       8.06"));
}

TEST_F(CheckpointingBenchmark, APolicyThatSavesNothingSaysSo) {
  const ended all = run({"--layers=4", "--batch=1", "--context=1", "--policies=sqrt"});
  EXPECT_EQ(all.code, 0) << all.err;
  // So few activations that the peak is that of the gradients, at the end of backward.
  EXPECT_EQ(all.row("sqrt", 4).at("saved_allocated_peak"), 0.0);
  EXPECT_THAT(all.out, testing::ContainsRegex("sqrt .* nothing\n"));
}

void expect_error(const json& row, const std::string& text) {
  EXPECT_EQ(row.at("error_occurred"), true);
  EXPECT_THAT(row.at("error_message").get<std::string>(), HasSubstr(text));
  for (const char* field : memory_fields) EXPECT_FALSE(row.contains(field)) << field;
  EXPECT_FALSE(row.contains("time_against_none"));
  EXPECT_FALSE(row.contains("saved_allocated_peak"));
  EXPECT_FALSE(row.contains("dominated"));
}

TEST_F(CheckpointingBenchmark, PoliciesAndSizesThatDoNotExistAreErrorsOfTheirRows) {
  const ended all = run({"--policies=sqrd,every_0,every_5,every_2", "--layers=4"});
  EXPECT_EQ(all.code, 3);
  expect_error(all.row("sqrd", 4), "there is no checkpointing policy \"sqrd\"; write \"none\"");
  expect_error(all.row("every_0", 4), "\"every_0\" has no layer in a segment");
  expect_error(all.row("every_5", 4), "more layers in a segment than the network, which has 4");
  EXPECT_TRUE(all.row("every_2", 4).contains("saved_allocated_peak"));
  EXPECT_THAT(all.out, HasSubstr("   sqrd     failed\n"));
  EXPECT_THAT(all.out, HasSubstr("checkpointing/sqrd/layers:4: there is no checkpointing policy"));
  const ended none = run({"--layers=0"});
  EXPECT_EQ(none.code, 3);
  expect_error(none.row("none", 0), "layers = 0; give 1 or more");
}

TEST_F(CheckpointingBenchmark, OutOfMemoryIsAnErrorOfItsRowAndOthersRun) {
  // Activations of 4 MiB each: 64 layers of none take 512 MiB.
  const ended all = run({"--device=plan:200MiB", "--layers=64", "--batch=1", "--context=32768",
                         "--policies=every_layer,sqrt"});
  EXPECT_EQ(all.code, 5);
  expect_error(all.row("none", 64), "out of memory in the memory pass: phase forward: ");
  expect_error(all.row("every_layer", 64), "out of memory");
  const json& sqrt = all.row("sqrt", 64);
  EXPECT_GT(sqrt.at("warm_allocated_peak").get<double>(), 0.0);
  // There is nothing to compare it with.
  EXPECT_FALSE(sqrt.contains("saved_allocated_peak"));
  EXPECT_FALSE(sqrt.contains("time_against_none"));
  EXPECT_THAT(all.out, HasSubstr("none         failed\n"));
}

TEST_F(CheckpointingBenchmark, WithoutTheRowOfNoneItsMemoryIsMeasuredAndItsTimeIsNot) {
  const ended all = run({"--benchmark_filter=sqrt"});
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(all.rows.size(), 2U);
  EXPECT_GT(all.row("sqrt", 4).at("saved_allocated_peak").get<double>(), 0.0);
  EXPECT_FALSE(all.row("sqrt", 4).contains("time_against_none"));
  EXPECT_THAT(all.out, testing::ContainsRegex("sqrt +[0-9.]+ +-  "));
  const auto files = std::filesystem::directory_iterator(artifacts());
  EXPECT_EQ(std::distance(begin(files), end(files)), 4);  // of none and sqrt, for 4 and 9 layers
}

TEST_F(CheckpointingBenchmark, RepetitionsInAnyOrderAreComparedWithTheMedianOfNone) {
  const ended all = run({"--layers=4", "--policies=sqrt", "--benchmark_repetitions=3",
                         "--benchmark_enable_random_interleaving=true"});
  // For the tests that follow in this process.
  run({"--benchmark_repetitions=1", "--benchmark_enable_random_interleaving=false"});
  EXPECT_EQ(all.code, 0) << all.err;
  std::map<std::string, double> medians;
  for (const json& row : all.document.at("benchmarks")) {
    const double time = row.at("real_time");
    if (row.value("aggregate_name", "") == "median") medians[row.at("run_name")] = time;
  }
  const double none = medians.at("checkpointing/none/layers:4/manual_time");
  int compared = 0;
  for (const json& row : all.document.at("benchmarks")) {
    if (row.at("run_type") != "iteration") continue;
    EXPECT_NEAR(row.at("time_against_none").get<double>(), row.at("real_time").get<double>() / none,
                1e-9);
    ++compared;
  }
  EXPECT_EQ(compared, 6);
  const double sqrt = medians.at("checkpointing/sqrt/layers:4/manual_time");
  EXPECT_THAT(all.out, HasSubstr(fmt::format("{:.1f}  {:.2f} ", sqrt, sqrt / none)));
}

TEST_F(CheckpointingBenchmark, RefusesWhatItCannotDoWithItsExitCode) {
  const ended argument = run({"--layer=3"});
  EXPECT_EQ(argument.code, 3);
  EXPECT_THAT(argument.err, HasSubstr("checkpointing_benchmark: \"--layer=3\": there is no such"));
  EXPECT_EQ(run({"--benchmark_wrong=1"}).code, 3);
  EXPECT_EQ(run({"--benchmark_filter=nothing_like_it"}).code, 3);
  EXPECT_EQ(run({"--device=cuda:99"}).code, 2);
  const std::filesystem::path there = folder_.path() / "there.json";
  std::ofstream(there) << "kept";
  const ended output = run({"--benchmark_out=" + there.string()});
  EXPECT_EQ(output.code, 4);
  EXPECT_THAT(output.err, HasSubstr("there.json: exists, and is not overwritten"));
  std::string content;
  std::ifstream(there) >> content;
  EXPECT_EQ(content, "kept");
  EXPECT_EQ(run({"--benchmark_out=" + (folder_.path() / "no/folder.json").string()}).code, 4);
}

TEST_F(CheckpointingBenchmark, AGpuThatIsRequiredAndNotThereIsNoRun) {
  ::setenv("HEADROOM_REQUIRE", "cuda", 1);
  const ended none = run({"--device=cpu"});
  ::unsetenv("HEADROOM_REQUIRE");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("HEADROOM_REQUIRE=cuda, and the device is cpu"));
  EXPECT_TRUE(none.rows.empty());
}

}  // namespace
}  // namespace headroom::kernels
