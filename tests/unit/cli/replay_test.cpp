// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "run_headroom.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;
using test::expect_golden;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const fs::path traces = fs::path(HEADROOM_SOURCE_DIR) / "tests/parity/traces";

std::string shown(const std::string& text) { return without_folder(text, traces.string()); }

ended replay(const std::string& trace, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"replay", (traces / trace).string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_headroom(arguments);
}

/// Half of each 20 MiB segment is freed; what is asked for then is more than any hole has.
std::string fragmented_trace() {
  std::string text = "headroom-trace 1\ncapacity 130000000\n";
  for (int i = 0; i < 8; ++i) text += "a " + std::to_string(i) + " 0 9437184 activations\n";
  for (int i = 0; i < 8; i += 2) text += "f " + std::to_string(i) + "\n";
  text += "a 100 0 1000 workspace\n";
  text += "a 101 1 5000000 weights\n";
  text += "a 102 0 30000000 activations\n";
  return text + "f 101\nf 100\nf 102\n";
}

TEST(Replay, TheExampleDoesNotFitByDefault) {
  const ended got = replay("transformer-lengths.trace", {"--device", "plan:1.75GB"});
  EXPECT_EQ(got.code, exit_code::exceeded);
  EXPECT_EQ(got.err, "");
  EXPECT_LE(test::longest_line(shown(got.out)), 80U);
  expect_golden("cli/replay_does_not_fit.txt", shown(got.out));
}

TEST(Replay, TheExampleFitsWithExpandableSegments) {
  const ended got = replay("transformer-lengths.trace",
                           {"--device", "plan:1.75GB", "--allocator", "expandable_segments:True"});
  EXPECT_EQ(got.code, exit_code::done);
  EXPECT_EQ(got.err, "");
  EXPECT_LE(test::longest_line(shown(got.out)), 80U);
  expect_golden("cli/replay_fits.txt", shown(got.out));
}

TEST(Replay, TheTracesCapacityAndSettingsStandUnlessOthersAreGiven) {
  EXPECT_EQ(replay("transformer-lengths-tight.trace").code, exit_code::exceeded);
  EXPECT_EQ(replay("transformer-lengths-expandable.trace").code, exit_code::done);
  EXPECT_EQ(replay("transformer-lengths-tight.trace", {"--device", "plan:80GB"}).code,
            exit_code::done);
  EXPECT_EQ(replay("transformer-lengths-expandable.trace", {"--device", "plan:1.7GB"}).code,
            exit_code::done);
  EXPECT_EQ(
      replay("transformer-lengths-expandable.trace", {"--device", "plan:1.7GB", "--allocator", ""})
          .code,
      exit_code::exceeded);
}

TEST(Replay, TheSmallestCapacityFitsAndOneStepLessDoesNot) {
  const ended got = replay("transformer-lengths.trace", {"--json"});
  const auto search = nlohmann::json::parse(got.out).at("asked").at("capacity_search");
  const std::int64_t smallest = search.at("smallest_bytes").get<std::int64_t>();
  const auto at = [](std::int64_t capacity) {
    return replay("transformer-lengths.trace",
                  {"--no-search", "--device", "plan:" + std::to_string(capacity) + "B"})
        .code;
  };
  EXPECT_EQ(at(smallest), exit_code::done);
  EXPECT_EQ(at(smallest - 1), exit_code::exceeded);
}

TEST(Replay, SaysWhatWasCachedForOthers) {
  const ended got = run_headroom({"replay", "-", "--no-search"}, fragmented_trace());
  EXPECT_EQ(got.code, exit_code::exceeded);
  EXPECT_LE(test::longest_line(got.out), 80U);
  expect_golden("cli/replay_fragmented.txt", got.out);
}

TEST(Replay, SettingsThatAreTriedStandSideBySide) {
  const ended got = replay("transformer-lengths.trace",
                           {"--device", "plan:1.75GB", "--try-settings", "max_split_size_mb:64",
                            "--try-settings", "expandable_segments:True", "--no-search"});
  EXPECT_EQ(got.code, exit_code::exceeded);
  EXPECT_THAT(got.out, HasSubstr("max_split_size_mb:64"));
  EXPECT_THAT(got.out, testing::ContainsRegex("expandable_segments:True +yes "));
  EXPECT_THAT(got.out, Not(HasSubstr("roundup_power2_divisions")));
}

class ReplayLines : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> trace_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(traces)) {
    if (entry.path().extension() == ".trace") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(ReplayLines, AreTheExpectedFilesToTheByte) {
  const ended got = replay(GetParam() + ".trace", {"--events"});
  const std::string expected = text_of(traces / (GetParam() + ".expected"));
  const bool refused = expected.find(" oom\n") != std::string::npos;
  EXPECT_EQ(got.code, refused ? exit_code::exceeded : exit_code::done);
  EXPECT_EQ(got.err, "");
  EXPECT_GT(expected.size(), 500U);
  EXPECT_TRUE(got.out == expected) << "differs from " << GetParam() << ".expected";
}

INSTANTIATE_TEST_SUITE_P(Traces, ReplayLines, ::testing::ValuesIn(trace_names()),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Replay, StandardInputGivesTheSameAnswerAsTheFile) {
  const fs::path file = traces / "transformer-lengths.trace";
  const ended from_file =
      run_headroom({"replay", file.string(), "--device", "plan:1.75GB", "--json"});
  const ended from_input =
      run_headroom({"replay", "-", "--device", "plan:1.75GB", "--json"}, text_of(file));
  EXPECT_EQ(from_input.code, exit_code::exceeded);
  auto of_file = nlohmann::json::parse(from_file.out);
  auto of_input = nlohmann::json::parse(from_input.out);
  EXPECT_EQ(of_input.at("trace").at("name"), "standard input");
  of_file.at("trace").erase("name");
  of_input.at("trace").erase("name");
  EXPECT_EQ(of_file, of_input);
  EXPECT_EQ(of_input.at("others").size(), 3U);
}

TEST(Replay, JsonHoldsTheWholeAnswer) {
  const ended got = run_headroom(
      {"replay", "-", "--json", "--no-search", "--try-settings", "expandable_segments:True"},
      fragmented_trace());
  auto document = nlohmann::ordered_json::parse(got.out);
  document.at("tool").at("version") = "VERSION";
  document.at("others").at(0).erase("alive_at_allocated_peak");
  expect_golden("cli/replay_fragmented.json", document.dump(2) + "\n");
}

TEST(Replay, JsonHoldsEachCapacityThatWasTried) {
  const ended got = run_headroom({"replay", "-", "--json"}, fragmented_trace());
  const auto search = nlohmann::json::parse(got.out).at("asked").at("capacity_search");
  EXPECT_EQ(search.at("smallest_bytes"), 138412032);
  std::int64_t before = 0;
  for (const auto& probe : search.at("tried")) {
    const std::int64_t capacity = probe.at("capacity_bytes").get<std::int64_t>();
    EXPECT_EQ(probe.at("fits").get<bool>(), capacity >= 138412032);
    EXPECT_GT(capacity, before);
    before = capacity;
  }
}

TEST(Replay, ATraceWithoutEventsFits) {
  const ended got = run_headroom({"replay", "-"}, "headroom-trace 1\ncapacity 1000000000\n");
  EXPECT_EQ(got.code, exit_code::done);
  expect_golden("cli/replay_no_events.txt", got.out);
}

TEST(Replay, ARequestThatNothingHoldsFitsNowhere) {
  const ended got = run_headroom({"replay", "-"},
                                 "headroom-trace 1\ncapacity 1000000000\n"
                                 "a 1 0 9223372036854775807\na 2 0 9223372036854775807\nf 1\n");
  EXPECT_EQ(got.code, exit_code::exceeded);
  EXPECT_THAT(got.out, HasSubstr("The smallest capacity that fits\n  none up to 1024.00 TiB\n"));
}

TEST(Replay, ProgressIsShownOnATerminalAlone) {
  const auto run_on = [](bool terminal) {
    return run_headroom({"replay", "-"}, fragmented_trace(), terminal);
  };
  EXPECT_EQ(run_on(false).err, "");
  EXPECT_THAT(run_on(true).err, HasSubstr("replaying at "));
  EXPECT_EQ(run_on(true).out, run_on(false).out);
}

class ReplayChart : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const char* name) const {
    return (folder_.path() / name).string();
  }
  test::temporary_folder folder_;
};

TEST_F(ReplayChart, IsWrittenAndSaysThatItIsAPrediction) {
  const ended got = replay("transformer-lengths.trace",
                           {"--device", "plan:1.75GB", "--no-search", "--chart", path("a.svg")});
  EXPECT_EQ(got.code, exit_code::exceeded);
  const std::string chart = text_of(path("a.svg"));
  EXPECT_THAT(chart, StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(chart, HasSubstr(">Predicted device memory over the log transformer-lengths.trace<"));
  EXPECT_THAT(chart, HasSubstr("prediction, not a GPU measurement"));
  EXPECT_THAT(chart, HasSubstr(">capacity 1.63 GiB<"));
  EXPECT_THAT(chart, HasSubstr(">first request that fails<"));
  EXPECT_THAT(chart, HasSubstr(">memory (GiB)<"));
}

TEST_F(ReplayChart, AnExistingFileIsKept) {
  std::ofstream(path("a.svg")) << "mine";
  const ended got = replay("tiny.trace", {"--chart", path("a.svg")});
  EXPECT_EQ(got.code, exit_code::no_output);
  EXPECT_EQ(got.out, "");
  EXPECT_EQ(without_folder(got.err, folder_.path().string()),
            "headroom: FOLDER/a.svg: exists, and is not overwritten; give another name or move it "
            "away\n");
  EXPECT_EQ(text_of(path("a.svg")), "mine");
}

TEST_F(ReplayChart, AFolderThatIsNotThereIsExitFour) {
  const ended got = replay("tiny.trace", {"--no-search", "--chart", path("no/a.svg")});
  EXPECT_EQ(got.code, exit_code::no_output);
  EXPECT_THAT(got.err, HasSubstr("cannot be written: No such file or directory"));
}

}  // namespace
}  // namespace headroom::cli
