// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <fstream>
#include <headroom/series/artifact.hpp>
#include <nlohmann/json.hpp>

#include "run_headroom.hpp"
#include "support/golden.hpp"
#include "support/scripted_series.hpp"
#include "support/temporary_folder.hpp"

namespace headroom::cli {
namespace {

using test::end_of;
using test::expect_golden;
using test::scripted_series;
using testing::HasSubstr;
using testing::Not;
using json = nlohmann::json;

constexpr std::size_t cold = 2;
constexpr std::size_t warmup = 3;
constexpr std::size_t last = 5;

/// A peak with its moment: `more` of it are activations.
void raise_peak(series_record& series, std::size_t phase, bytes more) {
  source_reading& end = end_of(series, phase);
  *end[counter_id::allocated_peak] += more;
  *end.requested_peak += more;
  end.at_allocated_peak->allocated += more;
  (*end.at_allocated_peak->by_tag)[tag::activations] += more;
}

class Compare : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const series_record& series) const {
    const std::string file = (folder_.path() / name).string();
    std::ofstream(file) << artifact_text(series, judge_without_budget(series), nullptr);
    return file;
  }
  ended compare(const series_record& base, const series_record& head,
                const std::vector<std::string>& more = {}) const {
    return compare_files(write("base.json", base), write("head.json", head), more);
  }
  ended compare_files(const std::string& base, const std::string& head,
                      const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"compare", base, head};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ended got = run_headroom(arguments);
    got.out = without_folder(got.out, folder_.path().string());
    got.err = without_folder(got.err, folder_.path().string());
    return got;
  }
  const test::temporary_folder folder_;
};

TEST_F(Compare, EqualCountersAreExitZero) {
  series_record other = scripted_series();
  other.workload.revision = "2";
  other.tool.revision = "fedcba543210";
  const ended got = compare(scripted_series(), other);
  EXPECT_EQ(got.code, exit_code::done) << got.err;
  expect_golden("cli/compare_equal.txt", got.out);
}

TEST_F(Compare, GrowthIsExitOneAndSaysWhereAndWhoHoldsIt) {
  series_record head = scripted_series();
  raise_peak(head, cold, 1_MiB);
  raise_peak(head, last, 3_MiB);
  *end_of(head, last)[counter_id::reserved_peak] += 2_MiB;
  end_of(head, last).at_allocated_peak->reserved = 22_MiB;
  series_record base = scripted_series();
  for (const std::size_t phase : {cold, warmup, std::size_t{4}, last}) {
    *end_of(base, phase)[counter_id::allocated_current] += 512_B;
  }
  const ended got = compare(base, head);
  EXPECT_EQ(got.code, exit_code::exceeded) << got.err;
  EXPECT_LE(test::longest_line(got.out), 80U);
  expect_golden("cli/compare_grown.txt", got.out);
  expect_golden("cli/compare_grown.json", compare(base, head, {"--json"}).out);
}

TEST_F(Compare, TheToleranceIsInclusive) {
  series_record head = scripted_series();
  raise_peak(head, last, 1_MiB);
  EXPECT_EQ(compare(scripted_series(), head, {"--tolerance", "1 MiB"}).code, exit_code::done);
  EXPECT_EQ(compare(scripted_series(), head, {"--tolerance", "1048575 B"}).code,
            exit_code::exceeded);
}

TEST_F(Compare, ALowerCounterIsNoGrowth) {
  series_record base = scripted_series();
  raise_peak(base, last, 1_MiB);
  const ended got = compare(base, scripted_series());
  EXPECT_EQ(got.code, exit_code::done);
  EXPECT_THAT(got.out, HasSubstr("fallen     allocated peak of warm_forward -1.00 MiB"));
}

TEST_F(Compare, AWarmupIsShownAndNotJudged) {
  series_record head = scripted_series();
  raise_peak(head, warmup, 64_MiB);
  *end_of(head, warmup)[counter_id::reserved_peak] = 80_MiB;
  end_of(head, warmup).at_allocated_peak->reserved = 80_MiB;
  const ended got = compare(scripted_series(), head);
  EXPECT_EQ(got.code, exit_code::done);
  EXPECT_THAT(got.out, HasSubstr("80.00 MiB"));
}

TEST_F(Compare, AnotherAllocatorIsRefusedWithTheReason) {
  series_record pool = scripted_series();
  pool.devices[0].allocator.name = "cuda-async";
  pool.devices[0].source.name = "stream-ordered pool";
  raise_peak(pool, last, 64_MiB);
  const ended got = compare(scripted_series(), pool);
  EXPECT_EQ(got.code, exit_code::unknown);
  expect_golden("cli/compare_not_comparable.txt", got.out);
  const json document = json::parse(compare(scripted_series(), pool, {"--json"}).out);
  EXPECT_EQ(document["result"], "not_comparable");
  EXPECT_EQ(document["reasons"].size(), 2U);
  EXPECT_EQ(document["phases"].size(), 0U);
  EXPECT_EQ(document["grown"].size(), 0U);
}

TEST_F(Compare, AMissingReadingIsUnknownAndHidesNoGrowth) {
  series_record head = scripted_series();
  end_of(head, last)[counter_id::reserved_peak].reset();
  ended got = compare(scripted_series(), head);
  EXPECT_EQ(got.code, exit_code::unknown);
  EXPECT_THAT(got.out, HasSubstr("the reserved peak of warm_forward was not measured in head"));
  raise_peak(head, cold, 1_MiB);
  got = compare(scripted_series(), head);
  EXPECT_EQ(got.code, exit_code::exceeded);
  EXPECT_THAT(got.out, HasSubstr("was not measured in head"));
}

TEST_F(Compare, AFailedSeriesHasNoFiguresForWhatFailed) {
  series_record failed = scripted_series();
  failed.phases[4].status = phase_status::failed;
  failed.phases[4].error = {"out_of_memory", "no more", 3_MiB, tag::activations, "plan:1GiB"};
  failed.phases.resize(5);
  const ended got = compare(scripted_series(), failed);
  EXPECT_EQ(got.code, exit_code::workload_failed);
  expect_golden("cli/compare_failed.txt", got.out);
}

TEST_F(Compare, DevicesAreComparedByTheirPlace) {
  const auto two = [](const std::string& first, const std::string& second, bytes more) {
    series_record series = scripted_series();
    series.devices[0].info.id = first;
    series.probes[0].device = first;
    series.devices.push_back(series.devices[0]);
    series.devices[1].info.id = second;
    series.probes.push_back(series.probes[0]);
    series.probes[1].device = second;
    for (phase_record& phase : series.phases) {
      phase.readings[0].device = first;
      phase.readings.push_back(phase.readings[0]);
      phase.readings[1].device = second;
      *phase.readings[0].end[counter_id::allocated_current] -= 512_B;
      auto& held = *phase.readings[1].end.at_allocated_peak->by_tag;
      std::swap(held[tag::activations], held[tag::gradients]);
    }
    source_reading& end = series.phases[last].readings[1].end;
    *end[counter_id::allocated_peak] += more;
    *end.requested_peak += more;
    end.at_allocated_peak->allocated += more;
    (*end.at_allocated_peak->by_tag)[tag::gradients] += more;
    return series;
  };
  series_record head = two("plan:3GiB", "plan:4GiB", 1_MiB);
  for (phase_record& phase : head.phases) std::swap(phase.readings[0], phase.readings[1]);
  const ended got = compare(two("plan:1GiB", "plan:2GiB", 0_B), head);
  EXPECT_EQ(got.code, exit_code::exceeded) << got.err;
  EXPECT_LE(test::longest_line(got.out), 80U);
  EXPECT_THAT(got.out, HasSubstr("allocated peak of warm_forward on plan:4GiB +1.00 MiB"));
  EXPECT_THAT(got.out, HasSubstr("at that moment: gradients +1.00 MiB\n"));
  EXPECT_THAT(got.out, Not(HasSubstr("on plan:3GiB")));
  EXPECT_THAT(got.out, Not(HasSubstr("fallen")));
}

TEST_F(Compare, EveryWrongInputSaysWhatToWrite) {
  const std::string file = write("base.json", scripted_series());
  std::ofstream(folder_.path() / "broken.json") << "{";
  std::ofstream(folder_.path() / "a.started.json") << "{}";
  std::string all;
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{},
        {file},
        {file, file, file},
        {file, file, "--tolerance", "1"},
        {file, (folder_.path() / "nowhere.json").string()},
        {file, (folder_.path() / "broken.json").string()}}) {
    std::vector<std::string> arguments{"compare"};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    const ended got = run_headroom(arguments);
    EXPECT_EQ(got.code, exit_code::invalid_input);
    EXPECT_EQ(got.out, "");
    all += without_folder(got.err, folder_.path().string());
  }
  expect_golden("cli/compare_wrong_input.txt", all);
  const ended unfinished = compare_files(file, (folder_.path() / "a.started.json").string());
  EXPECT_EQ(unfinished.code, exit_code::unknown);
  EXPECT_THAT(unfinished.err, HasSubstr("started, not finished"));
}

}  // namespace
}  // namespace headroom::cli
