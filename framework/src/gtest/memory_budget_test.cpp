// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <cstdio>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <headroom/gtest/memory_budget_test.hpp>
#include <headroom/report/failure_text.hpp>
#include <headroom/report/words.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/run_series.hpp>
#include <iostream>

#include "run_all_tests.hpp"
#include "test_settings.hpp"

namespace headroom {
namespace {

std::string current_test() {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  return std::string(info->test_suite_name()) + "." + info->name();
}

std::optional<bytes> worst_of(const series_record& series, const std::string& device,
                              counter_id counter) {
  std::optional<bytes> worst;
  for (const phase_record& phase : series.phases) {
    if (!series.is_judged_pass(phase)) continue;
    for (const device_reading& reading : phase.readings) {
      if (reading.device != device || !reading.end[counter]) continue;
      worst = std::max(worst.value_or(bytes{0}), *reading.end[counter]);
    }
  }
  return worst;
}

// The worst reading of each counter on each device, and the artifact, as CTest and CDash
// measurements.
void print_measurements(const measured_series& series) {
  const bool several = series.record().devices.size() > 1;
  for (const device_record& device : series.record().devices) {
    for (const counter_id counter : all_counters) {
      const std::optional<bytes> worst = worst_of(series.record(), device.info.id, counter);
      if (!worst) continue;
      std::cout << "<CTestMeasurement type=\"numeric/integer\" name=\"" << name_of(counter)
                << "_bytes" << (several ? " on " + device.info.id : "") << "\">" << worst->n
                << "</CTestMeasurement>\n";
    }
  }
  std::cout << "<CTestMeasurement type=\"text/string\" name=\"headroom_outcome\">"
            << name_of(series.result().outcome) << "</CTestMeasurement>\n"
            << "<CTestMeasurementFile type=\"file\" name=\"headroom_artifact\">"
            << std::filesystem::absolute(series.artifact()).string() << "</CTestMeasurementFile>\n";
}

// What CMake has checked is what the test must judge by.
void refuse_other_budget(const std::filesystem::path& read, const std::filesystem::path& checked) {
  std::error_code failure;
  if (checked.empty() || std::filesystem::equivalent(read, checked, failure)) return;
  throw usage_error("the fixture reads " + read.string() + ", but BUDGET of " +
                    "headroom_add_budget_test is " + checked.string() + "; name one file in both");
}

/// `auto` takes the host where a workload runs on more cards than there are.
void require_cuda(const std::vector<std::unique_ptr<device>>& devices) {
  for (const auto& each : devices) {
    if (each->info().kind == device_kind::cuda) continue;
    throw device_error(fmt::format(
        "HEADROOM_REQUIRE=cuda, and the workload runs on {} GPUs, which the driver does not show",
        devices.size()));
  }
}

}  // namespace

std::filesystem::path MemoryBudgetTest::budget_file() const {
  std::filesystem::path file = read_test_settings().budget_file;
  if (file.empty()) {
    throw usage_error(
        "no budget file: register the test with headroom_add_budget_test(... BUDGET file), set "
        "HEADROOM_BUDGET, or override budget_file()");
  }
  return file;
}

void MemoryBudgetTest::SetUp() {
  try {
    const test_settings settings = read_test_settings();
    budget_ = read_budget(budget_file());
    refuse_other_budget(budget_->file, settings.budget_file);
    const device_decision decision = decide(settings);
    if (decision.answer == device_answer::fail) FAIL() << decision.reason;
    if (decision.answer == device_answer::skip) {
      if (settings.under_ctest && !skips_reach_the_exit_code()) {
        FAIL()
            << decision.reason
            << "\nThis program's main() returns 0 for skipped tests, which CTest would show as a "
               "pass. Let headroom::gtest bring the main (do not link GTest::gtest_main), or "
               "return headroom::run_all_tests() in place of RUN_ALL_TESTS().";
      }
      GTEST_SKIP() << "headroom: skipped: " << decision.reason;
    }
  } catch (const error& wrong) {
    FAIL() << "Setup error, nothing measured: " << current_test() << "\n" << wrong.what();
  }
}

measured_series MemoryBudgetTest::measure() {
  const test_settings settings = read_test_settings();
  allocator_choice choice = settings.allocator.value_or(allocator_settings());
  choice.rehearsed = settings.rehearsed;
  choice.event_log = event_log_path(settings, current_test());
  std::unique_ptr<workload> work = make_workload(*budget_);  // before a device is touched
  const auto devices = open_devices(request_for(settings.device, work->device_count()), choice);
  if (settings.cuda_required && settings.device.automatic) require_cuda(devices);
  // What a workload holds is its devices'.
  const std::unique_ptr<workload> first_to_go = std::move(work);
  artifact_file artifact(settings.artifact_folder, current_test(), ids_of(devices), &*budget_);
  series_options options;
  options.protocol = budget_->protocol;
  options.test = current_test();
  series_record record = run_series(pointers_to(devices), *first_to_go, options);
  record.id = artifact.id();
  const verdict result = judge(record, *budget_);
  artifact.finish(record, result, &*budget_);
  measured_series series(std::move(record), result, *budget_, artifact.path());
  if (settings.under_ctest) print_measurements(series);
  return series;
}

void MemoryBudgetTest::expect_within_budget() {
  try {
    const measured_series series = measure();
    if (series.result().outcome != outcome::within) {
      ADD_FAILURE() << failure_text(series.record(), series.result(), budget(), series.artifact());
      return;
    }
    std::cout << outcome_line(series.record(), series.result()) << "\n"
              << "headroom: artifact " << series.artifact().string() << "\n";
    for (const std::string& warning : series.result().warnings) {
      std::cout << "headroom: warning: " << warning << "\n";
    }
  } catch (const error& wrong) {
    ADD_FAILURE() << "Setup error, nothing measured: " << current_test() << "\n" << wrong.what();
  }
}

}  // namespace headroom
