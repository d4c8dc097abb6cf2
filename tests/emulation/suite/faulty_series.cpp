// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "faulty_series.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <headroom/core/budget_file.hpp>
#include <headroom/core/error.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <headroom/series/open_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom_kernels/workloads.hpp>

namespace headroom::test {
namespace {

/// Written and read again. @return what is wrong with it
std::string fault_of_artifact(series_record series, const verdict& result, const budget& against) {
  series.id = "00ff";
  const std::string text = artifact_text(series, result, &against);
  try {
    const stored_artifact read = parse_artifact(text, "artifact");
    return artifact_text(read.series, read.result, &against) == text ? "" : "reads otherwise";
  } catch (const std::exception& invalid) {
    return invalid.what();
  }
}

series_record run_on(std::span<device* const> devices, const budget& against) {
  const std::unique_ptr<workload> work = kernels::make_workload(against.workload);
  series_options options;
  options.protocol = against.protocol;
  return run_series(devices, *work, options);
}
series_record run_on(device& on, const budget& against) {
  device* const only = &on;
  return run_on({&only, 1}, against);
}

bytes held_by(device& on) {
  on.synchronize();
  on.allocator().empty_cache();
  const source_reading now = on.counters().read();
  return *now[counter_id::allocated_current] + *now[counter_id::reserved_current];
}

}  // namespace

faulty_series::faulty_series(const std::string& budget_name, std::string device_text)
    : against_(read_budget(std::filesystem::path(HEADROOM_SOURCE_DIR) / "budgets" /
                           (budget_name + ".json"))),
      device_text_(std::move(device_text)) {
  against_.protocol = {0, 2};  // growth is judged over two repeats
}

fault_outcome faulty_series::run(const rehearsal_plan& refused) const {
  fault_outcome ended;
  allocator_choice choice;
  choice.rehearsed = refused;
  try {
    const auto on = open_devices(parse_device_request(device_text_), choice);
    const series_record series = run_on(pointers_to(on), against_);
    const verdict result = judge(series, against_);
    ended.told = result.outcome != outcome::within;
    ended.reason = result.reason;
    const std::string wrong = fault_of_artifact(series, result, against_);
    ended.valid_artifact = wrong.empty();
    if (!wrong.empty()) ended.reason += "; artifact: " + wrong;
    if (!series.phases.empty() && !series.phases.back().readings.empty()) {
      for (const device_reading& reading : series.phases.back().readings) {
        ended.retries += reading.end.retries.value_or(0);
      }
    }
    for (const phase_record& phase : series.phases) {
      for (const device_reading& reading : phase.readings) {
        if (!reading.system.free || !reading.system_begin.free) ended.unread = true;
      }
    }
    for (const auto& each : on) ended.leaked = ended.leaked + held_by(*each);
  } catch (const error& wrong) {
    ended.told = true;
    ended.reason = wrong.what();
  }
  return ended;
}

int faulty_series::refuse_each_request(int part, int parts) const {
  const auto requests = [&](request_kind what) {
    allocator_choice choice;
    choice.rehearsed.refusals = {{what, 1'000'000'000, {}}};
    const std::unique_ptr<device> on = open_device(parse_device_request(device_text_), choice);
    const rehearsal_record counted = run_on(*on, against_).devices.at(0).rehearsed.value();
    return what == request_kind::allocation ? counted.allocations : counted.segments;
  };
  int faults = 0;
  const std::int64_t allocations = requests(request_kind::allocation);
  for (std::int64_t n = 1 + part; n <= allocations; n += parts, ++faults) {
    expect_end({request_kind::allocation, n, n});
  }
  const std::int64_t segments = requests(request_kind::segment);
  for (std::int64_t n = 1 + part; n <= segments; n += parts, faults += 2) {
    expect_end({request_kind::segment, n, n});
    expect_end({request_kind::segment, n, {}});
  }
  return faults;
}

void faulty_series::expect_end(const rehearsed_refusal& refusal) const {
  allocator_choice choice;
  choice.rehearsed.refusals = {refusal};
  SCOPED_TRACE(against_.name + " with " + choice.rehearsed.text());
  const std::unique_ptr<device> on = open_device(parse_device_request(device_text_), choice);
  const series_record series = run_on(*on, against_);
  const verdict result = judge(series, against_);
  EXPECT_GE(series.devices.at(0).rehearsed->refused, 1);
  EXPECT_EQ(fault_of_artifact(series, result, against_), "");
  EXPECT_EQ(held_by(*on), bytes{0}) << "leaked";
  if (refusal.what == request_kind::segment && refusal.last) {
    EXPECT_EQ(series.failed_phase(), nullptr);
    EXPECT_NE(result.outcome, outcome::within) << "rehearsed, and a pass";
    EXPECT_GE(series.phases.back().readings.at(0).end.retries, 1);
    return;
  }
  EXPECT_EQ(result.outcome, outcome::out_of_memory) << result.reason;
  const phase_record* const failed = series.failed_phase();
  ASSERT_NE(failed, nullptr);
  EXPECT_NE(failed->name, "");
  EXPECT_EQ(failed->error->kind, "out_of_memory");
  EXPECT_EQ(failed->error->device, on->info().id);
  EXPECT_TRUE(failed->error->what) << "no tag";
  EXPECT_GT(failed->error->requested.value_or(bytes{0}), bytes{0});
  EXPECT_EQ(failed->readings.at(0).end.refusals, 1);
}

}  // namespace headroom::test
