// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Series on several devices: readings, limits and failures of each.
#include <gmock/gmock.h>

#include <functional>
#include <headroom/core/error.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/artifact.hpp>
#include <headroom/series/artifact_reader.hpp>
#include <headroom/series/open_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>

#include "support/scripted_series.hpp"

namespace headroom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Runs on two devices; what a pass does is set by the test.
class two_device_workload final : public workload {
 public:
  std::function<void(run_context&)> on_pass = [](run_context&) {};

  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "forward"; }
  [[nodiscard]] int device_count() const override { return 2; }
  void load(run_context&) override {}
  void make_inputs(run_context&) override {}
  void run_pass(run_context& run) override { on_pass(run); }

 private:
  workload_description description_ = test::scripted_description();
};

series_record run_on(const std::string& devices, two_device_workload& work) {
  const auto opened = open_devices(parse_device_request(devices));
  series_options options;
  options.protocol = {0, 2};
  return run_series(pointers_to(opened), work, options);
}

/// 2 MiB on the first device and 6 MiB on the second.
series_record uneven(const std::string& devices = "plan:1GiB*2") {
  two_device_workload work;
  work.on_pass = [](run_context& run) {
    run.on_each_device([](device& on, std::size_t number) {
      const buffer block(on, number == 0 ? 2_MiB : 6_MiB, tag::activations);
    });
  };
  return run_on(devices, work);
}

std::vector<std::string> ids(const std::string& request) {
  const device_request asked = parse_device_request(request);
  std::vector<std::string> all;
  for (const auto& each : open_devices(asked)) all.push_back(each->info().id);
  return all;
}

std::string refusal(const std::string& request) {
  try {
    static_cast<void>(parse_device_request(request));
  } catch (const usage_error& problem) {
    return problem.what();
  }
  return "(not refused)";
}

TEST(DeviceList, NamesEachDeviceOnce) {
  EXPECT_THAT(ids("plan:24GB,plan:16GB"), ElementsAre("plan:24GB", "plan:16GB"));
  EXPECT_THAT(ids("plan:24GB,plan:24GB"), ElementsAre("plan:24GB#0", "plan:24GB#1"));
  EXPECT_THAT(ids("plan:24GB*3"), ElementsAre("plan:24GB#0", "plan:24GB#1", "plan:24GB#2"));
  EXPECT_THAT(ids("cpu*2,plan:1GB"), ElementsAre("cpu#0", "cpu#1", "plan:1GB"));
  EXPECT_THAT(ids("cpu:1GB*2"), ElementsAre("cpu#0", "cpu#1"));
  EXPECT_THAT(ids("plan:24GB#7"), ElementsAre("plan:24GB#7"));
  EXPECT_THAT(ids("plan:24GB*1"), ElementsAre("plan:24GB"));
}

TEST(DeviceList, RefusesWhatIsNoList) {
  EXPECT_THAT(refusal("cuda:0,cuda:0"), HasSubstr("cuda:0 is named twice"));
  EXPECT_THAT(refusal("plan:1GB#1,plan:1GB#1"), HasSubstr("plan:1GB#1 is named twice"));
  EXPECT_THAT(refusal("cuda:0*2"), HasSubstr("only cpu and plan can be multiplied"));
  EXPECT_THAT(refusal("auto,cpu"), HasSubstr("auto stands alone"));
  EXPECT_THAT(refusal("plan:1GB*0"), HasSubstr("what follows * is not a number from 1"));
  EXPECT_THAT(refusal("plan:1GB*x"), HasSubstr("what follows * is not a number from 1"));
  EXPECT_THAT(refusal("plan:1GB#x"), HasSubstr("what follows # is not a number"));
  EXPECT_THAT(refusal("plan:1GB,"), HasSubstr("no such device"));
  EXPECT_THAT(refusal("cpu,,cpu"), HasSubstr("no such device"));
}

TEST(DeviceList, IsRefusedWhereOneDeviceIsNeeded) {
  EXPECT_THROW(static_cast<void>(open_device(parse_device_request("cpu*2"))), usage_error);
}

TEST(DeviceRequest, StandsForAsManyAsAWorkloadNeeds) {
  const auto text_for = [](const char* request, int count) {
    return request_for(parse_device_request(request), count).text;
  };
  EXPECT_EQ(text_for("plan:24GB", 2), "plan:24GB*2");
  EXPECT_EQ(text_for("cpu", 1), "cpu");
  EXPECT_EQ(text_for("plan:24GB,plan:16GB", 2), "plan:24GB,plan:16GB");
  EXPECT_THROW(static_cast<void>(text_for("plan:24GB*2", 1)), usage_error);
}

TEST(SeveralDevices, HaveAReadingEachInEveryPhase) {
  const series_record series = uneven();
  ASSERT_EQ(series.devices.size(), 2U);
  ASSERT_EQ(series.probes.size(), 2U);
  for (const phase_record& phase : series.phases) {
    ASSERT_EQ(phase.readings.size(), 2U) << phase.name;
    EXPECT_EQ(phase.readings[0].device, "plan:1GiB#0");
    EXPECT_EQ(phase.readings[1].device, "plan:1GiB#1");
  }
  const phase_record& last = series.phases.back();
  EXPECT_EQ(last.readings[0].end[counter_id::allocated_peak], 2_MiB);
  EXPECT_EQ(last.readings[1].end[counter_id::allocated_peak], 6_MiB);
}

TEST(SeveralDevices, AreJudgedOneByOneAndNeverAsAPool) {
  budget against = test::scripted_budget();
  against.protocol = {0, 2};
  const series_record series = uneven();
  EXPECT_EQ(judge(series, against).outcome, outcome::within) << "6 MiB is the limit of each";
  EXPECT_EQ(judge(series, against).limits.size(), 12U) << "four counters and growth, twice";
  against.limits[counter_id::allocated_peak] = test::at_most(6_MiB - bytes{1});
  const verdict result = judge(series, against);
  EXPECT_EQ(result.outcome, outcome::exceeded);
  for (const limit_verdict& each : result.limits) {
    EXPECT_EQ(each.result == ruling::exceeded,
              each.device == "plan:1GiB#1" && each.counter == counter_id::allocated_peak)
        << each.device;
  }
}

TEST(SeveralDevices, HaveLimitsAndReservesOfTheirOwn) {
  budget against = test::scripted_budget();
  against.protocol = {0, 2};
  limit envelope = test::at_most({});
  envelope.at_most_is_envelope = true;
  against.limits[counter_id::allocated_peak] = envelope;  // 4 MiB of weights, 2 MiB of reserve
  const series_record series = uneven();
  EXPECT_EQ(judge(series, against).outcome, outcome::within);
  against.per_device = {{"plan:1GiB#1", std::vector<reserve_item>{}, {}, {}, {}}};
  const verdict result = judge(series, against);
  EXPECT_EQ(result.outcome, outcome::exceeded) << "no reserve on the second";
  against.per_device[0].device = "plan:1GiB#0";
  EXPECT_EQ(judge(series, against).outcome, outcome::within) << "2 MiB are below 4 MiB of weights";
}

TEST(SeveralDevices, KeepTheirReadingsInTheArtifact) {
  const series_record series = uneven();
  const std::string text = artifact_text(series, judge_without_budget(series), nullptr);
  const stored_artifact stored = parse_artifact(text, "a.json");
  EXPECT_EQ(stored.series.phases.back().readings[1].end[counter_id::allocated_peak], 6_MiB);
  EXPECT_EQ(stored.series.devices[1].info.id, "plan:1GiB#1");
}

/// A plan device on which queued work has failed from the n-th wait on.
class failing_device final : public device {
 public:
  explicit failing_device(std::string id, int waits) : plan_(id), waits_(waits) {}
  [[nodiscard]] const device_info& info() const override { return plan_.info(); }
  [[nodiscard]] headroom::allocator& allocator() override { return plan_.allocator(); }
  [[nodiscard]] counter_source& counters() override { return plan_.counters(); }
  [[nodiscard]] system_reading read_system() const override { return {}; }
  [[nodiscard]] bool computes() const override { return false; }
  [[nodiscard]] stream_id create_stream() override { return plan_.create_stream(); }
  void order_after(stream_id, stream_id) override {}
  void synchronize(stream_id) override { synchronize(); }
  void synchronize() override {
    if (waits_-- <= 0) throw device_error("illegal address");
  }
  [[nodiscard]] void* native_stream(stream_id) override { return nullptr; }
  void copy_to_device(void*, const void*, bytes, stream_id) override {}
  void copy_to_host(void*, const void*, bytes, stream_id) override {}
  void copy_on_device(void*, const void*, bytes, stream_id) override {}
  void fill_zero(void*, bytes, stream_id) override {}

 private:
  plan_device plan_;
  int waits_;
};

TEST(SeveralDevices, TheOneThatFailsIsNamedWhereverItIsNoticed) {
  // The probe waits twice; then there are waits at the beginning and the end of each phase.
  for (int waits = 2; waits < 12; ++waits) {
    SCOPED_TRACE(waits);
    plan_device good("1GiB#0");
    failing_device bad("1GiB#1", waits);
    device* const both[] = {&good, &bad};
    two_device_workload work;
    series_options options;
    options.protocol = {0, 2};
    const series_record series = run_series(both, work, options);
    ASSERT_NE(series.failed_phase(), nullptr) << "an error that nobody recorded";
    EXPECT_EQ(series.failed_phase()->error->kind, "device_error");
    EXPECT_EQ(series.failed_phase()->error->device, "plan:1GiB#1");
    const verdict result = judge_without_budget(series);
    EXPECT_EQ(result.outcome, outcome::failed);
    EXPECT_THAT(result.reason, HasSubstr(" on plan:1GiB#1: illegal address"));
  }
}

TEST(SeveralDevices, AnErrorOfTheWorkloadIsGivenTheDeviceAtWhichItCameUp) {
  two_device_workload work;
  work.on_pass = [](run_context& run) {
    run.phase("inner", [&] {
      run.on_each_device([](device&, std::size_t number) {
        if (number == 1) throw error("not finite");
      });
    });
  };
  const series_record series = run_on("plan:1GiB*2", work);
  EXPECT_EQ(series.failed_phase()->name, "inner");
  EXPECT_EQ(series.failed_phase()->error->device, "plan:1GiB#1");
  work.on_pass = [](run_context& run) {
    run.on_each_device([](device&, std::size_t) {});
    throw error("of none");
  };
  EXPECT_EQ(run_on("plan:1GiB*2", work).failed_phase()->error->device, "");
}

}  // namespace
}  // namespace headroom
