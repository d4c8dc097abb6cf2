// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// What headroom reads of the system, over the emulated card and NVML: what is outside the
// allocator, what other processes do, and several devices.
#include <gmock/gmock.h>
#include <unistd.h>

#include <headroom/core/error.hpp>
#include <headroom/cuda/cuda_device.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/report/series_report.hpp>
#include <headroom/series/open_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <headroom_kernels/touch.hpp>

#include "api.hpp"
#include "cuda/nvml.hpp"
#include "support/scripted_series.hpp"

namespace headroom {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Others take memory in its passes.
class disturbed_workload final : public workload {
 public:
  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "forward"; }
  void touch(run_context& run) override {
    kernels::touch_libraries(run.device(), kernels::dtype::float32, 1_MiB);
  }
  void load(run_context& run) override { held_ = buffer(run.device(), 4_MiB, tag::weights); }
  void make_inputs(run_context&) override {}
  void run_pass(run_context& run) override {
    const buffer block(run.device(), 2_MiB, tag::activations);
    ++pass_;
    int refused = 0;
    if (pass_ == 1) refused = headroom_emulation_other_process(0, 77, 64_mib);
    if (pass_ == 2) refused = headroom_emulation_other_process(0, 78, 10_mib);
    if (pass_ == 3) refused = headroom_emulation_other_process(0, 77, 0);
    ASSERT_EQ(refused, 0);
  }

 private:
  workload_description description_ = test::scripted_description();
  buffer held_;
  int pass_ = 0;
};

series_record disturbed(bool touch = false) {
  set_card("CONTEXT", "300 MiB");
  const auto on = open_device(parse_device_request("cuda:0"));
  disturbed_workload work;
  series_options options;
  options.protocol = {0, 3};
  options.protocol.touch = touch;
  return run_series(*on, work, options);
}

const device_reading& reading_in(const series_record& series, std::size_t phase) {
  return series.phases.at(phase).readings.at(0);
}

TEST(ReadingsOverEmulation, TheContextIsOutsideTheAllocator) {
  const series_record series = disturbed();
  ASSERT_TRUE(ran_whole(series));
  for (const std::size_t phase : {std::size_t{0}, std::size_t{1}}) {
    EXPECT_EQ(reading_in(series, phase).outside_begin, 300_MiB);
    EXPECT_EQ(reading_in(series, phase).outside, 300_MiB);
  }
  EXPECT_EQ(reading_in(series, 2).outside, 364_MiB) << "other processes are outside as well";
  EXPECT_THAT(series_text(series, judge_without_budget(series), nullptr, "a.json"),
              HasSubstr("outside the"));
}

TEST(ReadingsOverEmulation, OtherProcessesAreForeignActivity) {
  const series_record series = disturbed();
  const std::vector<bytes> moved{64_MiB, 10_MiB, bytes{0} - 64_MiB, bytes{0}};
  for (std::size_t pass = 0; pass < moved.size(); ++pass) {
    const device_reading& reading = reading_in(series, 2 + pass);
    ASSERT_TRUE(reading.unaccounted);
    EXPECT_EQ(reading.unaccounted->moved, moved[pass]);
    const bool known = reading.system.process.has_value();
    EXPECT_EQ(reading.unaccounted->by, known ? accounted_by::process : accounted_by::allocator);
    EXPECT_EQ(reading.system.process_reason.empty(), known) << "a null has its reason";
    if (known) {
      EXPECT_EQ(*reading.system.process, 320_MiB) << "this process's alone";
    }
  }
  budget against = test::scripted_budget();
  against.protocol = {0, 3};
  const verdict result = judge(series, against);
  EXPECT_EQ(result.outcome, outcome::within) << "the allocator's counters are nobody else's";
  if (!reading_in(series, 2).system.process) GTEST_SKIP() << "this process's number is hidden";
  EXPECT_THAT(result.warnings, Contains(HasSubstr("foreign activity")).Times(3));
}

TEST(ReadingsOverEmulation, ThisProcessIsFoundAmongMany) {
  const auto on = open_device(parse_device_request("cuda:0"));
  const buffer block(*on, 40_MiB, tag::other);
  for (unsigned other = 1; other <= 200; ++other) {
    ASSERT_EQ(headroom_emulation_other_process(0, 1'000'000 + other, 1_mib), 0);
  }
  const cuda::process_view own{static_cast<unsigned>(getpid()), ""};
  const system_reading reading = cuda::nvml::system().read(*on->info().uuid, own);
  EXPECT_EQ(reading.process, 40_MiB);
  EXPECT_EQ(reading.process_reason, "");
  EXPECT_EQ(*reading.total - *reading.free, 240_MiB);
  const system_reading stranger = cuda::nvml::system().read(*on->info().uuid, {2'000'000, ""});
  EXPECT_EQ(stranger.process, std::nullopt);
  EXPECT_THAT(stranger.process_reason,
              HasSubstr("NVML lists 201 processes of the device, and not this one, 2000000"));
}

TEST(ReadingsOverEmulation, ADeviceIsFoundByItsName) {
  set_card("DEVICES", "2");
  const std::string uuid = *cuda::open_device(1, {})->info().uuid;
  EXPECT_EQ(open_device(parse_device_request("cuda:" + uuid))->info().id, "cuda:1");
  EXPECT_THAT(find_device(parse_device_request("cuda:GPU-68656164")).reason,
              HasSubstr("begins the names of cuda:0 and cuda:1"));
  EXPECT_THAT(find_device(parse_device_request("cuda:MIG-68656164")).reason,
              HasSubstr("the driver shows no MIG-68656164, but GPU-"));
  EXPECT_THROW(static_cast<void>(open_devices(parse_device_request("cuda:1,cuda:" + uuid))),
               usage_error)
      << "one card by two names";
}

TEST(ReadingsOverEmulation, ATouchComesBeforeTheModelAndChangesNoCounter) {
  const series_record touched = disturbed(true);
  ASSERT_TRUE(ran_whole(touched));
  EXPECT_EQ(touched.phases.front().name, "touch");
  EXPECT_EQ(reading_in(touched, 0).end[counter_id::reserved_current], 2_MiB);
  EXPECT_EQ(reading_in(touched, 1).begin_reserved, bytes{0});
  EXPECT_GT(headroom_emulation_calls("cublasSgemm_v2"), 0);
}

series_record trained(const std::string& devices) {
  workload_description description = test::scripted_description();
  description.name = "dense";
  description.operation = "train";
  description.requested = {
      {"batch", 2}, {"context", 64}, {"width", 128}, {"layers", 3}, {"replicas", 2}};
  kernels::dense_training_workload work(description);
  const auto on = open_devices(request_for(parse_device_request(devices), work.device_count()));
  series_options options;
  options.protocol = {1, 2};
  return run_series(pointers_to(on), work, options);
}

TEST(DevicesOverEmulation, EachReadsWhatThePlanSays) {
  set_card("DEVICES", "2");
  set_card("CONTENTS", "all");
  const series_record on_cards = trained("cuda:0,cuda:1");
  const series_record planned = trained("plan:1GiB");
  ASSERT_EQ(on_cards.failed_phase(), nullptr) << on_cards.failed_phase()->error->message;
  ASSERT_EQ(on_cards.checks.size(), 2U);
  EXPECT_EQ(on_cards.checks[1].name, "replicas");
  EXPECT_TRUE(on_cards.checks[1].passed) << on_cards.checks[1].detail;
  ASSERT_EQ(on_cards.phases.size(), planned.phases.size());
  for (std::size_t i = 0; i < planned.phases.size(); ++i) {
    SCOPED_TRACE(planned.phases[i].name);
    for (std::size_t device = 0; device < 2; ++device) {
      EXPECT_EQ(on_cards.phases[i].readings.at(device).end.counters,
                planned.phases[i].readings.at(device).end.counters);
    }
  }
}

TEST(DevicesOverEmulation, TheOneWithoutRoomIsNamed) {
  set_card("DEVICES", "2");
  ASSERT_EQ(headroom_emulation_other_process(1, 77, 1_gib - 21_mib), 0);
  const series_record series = trained("cuda:0,cuda:1");
  ASSERT_NE(series.failed_phase(), nullptr);
  EXPECT_EQ(series.failed_phase()->error->kind, "out_of_memory");
  EXPECT_EQ(series.failed_phase()->error->device, "cuda:1");
}

TEST(DevicesOverEmulation, TheOneWhoseCallFailsIsNamed) {
  set_card("DEVICES", "2");
  // The second product library is the second device's.
  headroom_emulation_fail_call("cublasCreate_v2", 2, 13);
  const series_record series = trained("cuda:0,cuda:1");
  ASSERT_NE(series.failed_phase(), nullptr);
  EXPECT_EQ(series.failed_phase()->error->kind, "device_error");
  EXPECT_EQ(series.failed_phase()->error->device, "cuda:1");
  EXPECT_THAT(judge_without_budget(series).reason, HasSubstr("phase forward on cuda:1: cuBLAS"));
}

TEST(BadCards, ACapabilityWithoutCodeInTheBuildSaysWhatToChange) {
  set_card("CAPABILITY", "7.5");
  const auto on = open_device(parse_device_request("cuda:0"));
  try {
    kernels::touch_libraries(*on, kernels::dtype::float32, 1_MiB);
    FAIL() << "a kernel ran that the build has no code for";
  } catch (const device_error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("this build has no code for compute capability 7.5: "
                                          "configure it with -DCMAKE_CUDA_ARCHITECTURES=75"));
  }
}

}  // namespace
}  // namespace headroom
