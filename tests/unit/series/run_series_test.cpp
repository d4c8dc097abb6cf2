// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <functional>
#include <headroom/core/error.hpp>
#include <headroom/device/buffer.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom/series/verdict.hpp>
#include <stdexcept>
#include <vector>

namespace headroom {
namespace {

/// Weights of 4 MiB; what a pass does is set by the test.
class scripted_workload : public workload {
 public:
  std::function<void(run_context&, int pass)> on_pass = [](run_context&, int) {};
  std::function<void(run_context&)> on_load = [](run_context&) {};
  std::function<void(run_context&)> on_finish = [](run_context&) {};

  [[nodiscard]] const workload_description& description() const override { return description_; }
  [[nodiscard]] std::string_view pass_name() const override { return "step"; }
  void load(run_context& run) override {
    weights_ = buffer(run.device(), 4_MiB, tag::weights);
    on_load(run);
  }
  void make_inputs(run_context& run) override {
    inputs_ = buffer(run.device(), 1_MiB, tag::inputs);
  }
  void run_pass(run_context& run) override { on_pass(run, pass_++); }
  void finish(run_context& run) override { on_finish(run); }

 private:
  workload_description description_{"scripted", "step", "1", 0, "float32", {{"batch", 1}}, {}};
  buffer weights_;
  buffer inputs_;
  int pass_ = 0;
};

std::vector<std::string> names_of(const series_record& series, phase_status status) {
  std::vector<std::string> names;
  for (const phase_record& phase : series.phases) {
    if (phase.status == status) names.push_back(phase.name);
  }
  return names;
}

const phase_record& phase_at(const series_record& series, std::string_view name, int repeat = 0) {
  for (const phase_record& phase : series.phases) {
    if (phase.name == name && (repeat == 0 || phase.repeat == repeat)) return phase;
  }
  throw std::runtime_error("no such phase");
}

bytes peak_of(const phase_record& phase) {
  return phase.readings.at(0).end[counter_id::allocated_peak].value();
}

series_options passes(int warmup, int repeats) {
  series_options options;
  options.protocol = {warmup, repeats};
  return options;
}

TEST(RunSeries, RunsThePhasesInOrderAndKeepsTheColdPass) {
  plan_device device(1_GiB);
  scripted_workload work;
  work.on_pass = [](run_context& run, int pass) {
    // The first pass is the most demanding, as with tuning.
    const buffer block(run.device(), pass == 0 ? 8_MiB : 2_MiB, tag::activations);
  };
  const series_record series = run_series(device, work, passes(2, 2));
  EXPECT_THAT(names_of(series, phase_status::ok),
              testing::ElementsAre("model_load", "inputs", "cold_step", "warmup", "warmup",
                                   "warm_step", "warm_step"));
  EXPECT_EQ(peak_of(phase_at(series, "model_load")), 4_MiB);
  EXPECT_EQ(peak_of(phase_at(series, "inputs")), 5_MiB);
  EXPECT_EQ(peak_of(phase_at(series, "cold_step")), 13_MiB);
  EXPECT_EQ(peak_of(phase_at(series, "warm_step", 2)), 7_MiB);
  const device_reading& cold = phase_at(series, "cold_step").readings.at(0);
  EXPECT_EQ(cold.begin_allocated, 5_MiB);
  EXPECT_EQ(cold.end[counter_id::allocated_current], 5_MiB);
  EXPECT_EQ((*cold.end.at_allocated_peak->by_tag)[tag::activations], 8_MiB);
  EXPECT_EQ((*cold.end.at_allocated_peak->by_tag)[tag::weights], 4_MiB);
  EXPECT_TRUE(series.prediction());
}

TEST(RunSeries, OpensWithAProbeThatLeavesThePoolEmpty) {
  plan_device device(1_GiB);
  scripted_workload work;
  const series_record series = run_series(device, work, passes(0, 1));
  ASSERT_EQ(series.probes.size(), 1u);
  EXPECT_TRUE(series.probes[0].passed) << series.probes[0].detail;
  EXPECT_EQ(series.probes[0].allocated_during, series.probes[0].requested);
  EXPECT_EQ(phase_at(series, "model_load").readings[0].begin_reserved, bytes{0});
}

/// A meter whose hooks are not in place: it reads zero whatever happens.
class blind_source : public counter_source {
 public:
  [[nodiscard]] source_description describe_counters() const override { return {}; }
  [[nodiscard]] source_reading read() const override {
    source_reading nothing;
    for (const counter_id id : all_counters) nothing[id] = bytes{0};
    return nothing;
  }
  void reset_peaks() override {}
};

class blind_device : public device {
 public:
  [[nodiscard]] const device_info& info() const override { return inner_.info(); }
  [[nodiscard]] headroom::allocator& allocator() override { return inner_.allocator(); }
  [[nodiscard]] counter_source& counters() override { return blind_; }
  [[nodiscard]] system_reading read_system() const override { return {}; }
  [[nodiscard]] bool computes() const override { return false; }
  [[nodiscard]] stream_id create_stream() override { return inner_.create_stream(); }
  void order_after(stream_id, stream_id) override {}
  void synchronize(stream_id) override {}
  void synchronize() override {}
  [[nodiscard]] void* native_stream(stream_id) override { return nullptr; }
  void copy_to_device(void*, const void*, bytes, stream_id) override {}
  void copy_to_host(void*, const void*, bytes, stream_id) override {}
  void copy_on_device(void*, const void*, bytes, stream_id) override {}
  void fill_zero(void*, bytes, stream_id) override {}

 protected:
  plan_device inner_{1_GiB};

 private:
  blind_source blind_;
};

/// A card on which another process takes 1 MiB between any two readings.
class shared_card : public blind_device {
 public:
  explicit shared_card(device_kind kind) { info_.kind = kind; }
  [[nodiscard]] const device_info& info() const override { return info_; }
  [[nodiscard]] counter_source& counters() override { return inner_.counters(); }
  [[nodiscard]] system_reading read_system() const override {
    free_ -= 1_MiB;
    return {free_, 1_GiB, bytes{0}, {}, ""};
  }

 private:
  device_info info_ = inner_.info();
  mutable bytes free_ = 1_GiB;
};

TEST(RunSeries, ReadsTheSystemAtEachBoundaryAndSeesWhatOthersTake) {
  shared_card card(device_kind::cuda);
  scripted_workload work;
  const series_record series = run_series(card, work, passes(0, 2));
  ASSERT_EQ(series.phases.size(), 5U);
  bytes free = 1_GiB;
  for (const phase_record& phase : series.phases) {
    const device_reading& reading = phase.readings.at(0);
    EXPECT_EQ(reading.system_begin.free, free - 1_MiB);
    EXPECT_EQ(reading.system.free, free - 2_MiB);
    EXPECT_EQ(reading.unaccounted, (unaccounted_memory{1_MiB, accounted_by::process}));
    free -= 2_MiB;
  }
}

TEST(RunSeries, AHostIsNeverQuietAndAccountsForNothing) {
  shared_card host(device_kind::cpu);
  scripted_workload work;
  const series_record series = run_series(host, work, passes(0, 1));
  for (const phase_record& phase : series.phases) {
    EXPECT_TRUE(phase.readings.at(0).system_begin.free);
    EXPECT_EQ(phase.readings.at(0).unaccounted, std::nullopt);
  }
}

TEST(RunSeries, AMeterThatSeesNothingIsASetupErrorAndNothingRuns) {
  blind_device device;
  scripted_workload work;
  bool ran = false;
  work.on_load = [&](run_context&) { ran = true; };
  const series_record series = run_series(device, work, passes(0, 1));
  EXPECT_FALSE(ran);
  ASSERT_TRUE(series.setup_error);
  EXPECT_THAT(*series.setup_error, testing::HasSubstr("went from 0 B to 0 B"));
  EXPECT_TRUE(series.phases.empty());
}

TEST(RunSeries, KeepsAFailureWithItsPhaseRequestAndWhatDidNotRun) {
  plan_device device(64_MiB);
  scripted_workload work;
  work.on_pass = [](run_context& run, int pass) {
    run.phase("forward", [&] {
      const buffer block(run.device(), pass == 1 ? 60_MiB : 2_MiB, tag::activations);
    });
  };
  const series_record series = run_series(device, work, passes(0, 3));
  const phase_record* failed = series.failed_phase();
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->name, "forward");
  EXPECT_EQ(failed->parent, "warm_step");
  EXPECT_EQ(failed->repeat, 1);
  EXPECT_EQ(failed->error->kind, "out_of_memory");
  EXPECT_EQ(failed->error->requested, 60_MiB);
  EXPECT_EQ(failed->error->what, tag::activations);
  EXPECT_EQ(failed->readings.at(0).end[counter_id::allocated_current], 5_MiB);
  EXPECT_THAT(names_of(series, phase_status::failed), testing::ElementsAre("warm_step", "forward"));
  EXPECT_THAT(names_of(series, phase_status::not_run),
              testing::ElementsAre("warm_step", "warm_step"));
  EXPECT_FALSE(phase_at(series, "warm_step", 1).error) << "the error belongs to the inner phase";
}

TEST(RunSeries, AnExceptionThatIsNotAnErrorIsKeptToo) {
  plan_device device(64_MiB);
  scripted_workload work;
  work.on_load = [](run_context&) { throw 7; };
  const series_record series = run_series(device, work, passes(1, 1));
  EXPECT_EQ(series.failed_phase()->name, "model_load");
  EXPECT_EQ(series.failed_phase()->error->kind, "workload_error");
  EXPECT_THAT(names_of(series, phase_status::not_run),
              testing::ElementsAre("inputs", "cold_step", "warmup", "warm_step"));
}

TEST(RunSeries, AFailureOutsideOfAPhaseInFinishIsKept) {
  plan_device device(64_MiB);
  scripted_workload work;
  work.on_finish = [](run_context& run) {
    run.phase("evaluate", [] {});
    throw std::runtime_error("the export folder is full");
  };
  const series_record series = run_series(device, work, passes(0, 1));
  EXPECT_EQ(phase_at(series, "evaluate").status, phase_status::ok);
  EXPECT_EQ(phase_at(series, "evaluate").pass, pass_kind::after);
  ASSERT_NE(series.failed_phase(), nullptr);
  EXPECT_EQ(series.failed_phase()->name, "finish");
  EXPECT_EQ(series.failed_phase()->error->message, "the export folder is full");
}

TEST(RunSeries, InnerPhasesHaveTheirOwnPeaksAndTheOuterPeakCoversThem) {
  plan_device device(1_GiB);
  scripted_workload work;
  work.on_pass = [](run_context& run, int) {
    buffer kept;
    run.phase("forward", [&] {
      kept = buffer(run.device(), 6_MiB, tag::activations);
      const buffer scratch(run.device(), 10_MiB, tag::temporary);
    });
    run.phase("backward", [&] { const buffer grads(run.device(), 3_MiB, tag::gradients); });
  };
  const series_record series = run_series(device, work, passes(0, 1));
  EXPECT_EQ(peak_of(phase_at(series, "forward", 1)), 21_MiB);
  EXPECT_EQ(phase_at(series, "backward").readings[0].begin_allocated, 11_MiB);
  EXPECT_EQ(peak_of(phase_at(series, "backward")), 14_MiB);
  EXPECT_EQ(peak_of(phase_at(series, "warm_step")), 21_MiB);
  const auto& moment = phase_at(series, "warm_step").readings[0].end.at_allocated_peak;
  EXPECT_EQ((*moment->by_tag)[tag::temporary], 10_MiB);
}

TEST(RunSeries, EveryDeviceTakingPartIsRead) {
  plan_device first("1GiB");
  plan_device second("2GiB");
  device* const devices[] = {&first, &second};
  scripted_workload work;
  work.on_pass = [](run_context& run, int) {
    const buffer block(*run.devices()[1], 30_MiB, tag::activations);
  };
  const series_record series = run_series(devices, work, passes(0, 1));
  const phase_record& cold = phase_at(series, "cold_step");
  ASSERT_EQ(cold.readings.size(), 2u);
  EXPECT_EQ(cold.readings[0].device, "plan:1GiB");
  EXPECT_EQ(cold.readings[0].end[counter_id::allocated_peak], 5_MiB);
  EXPECT_EQ(cold.readings[1].device, "plan:2GiB");
  EXPECT_EQ(cold.readings[1].end[counter_id::allocated_peak], 30_MiB);
}

TEST(RunSeries, RefusesAProtocolWithoutRepeatsAndNoDevice) {
  plan_device device(1_GiB);
  scripted_workload work;
  EXPECT_THROW((void)run_series(device, work, passes(0, 0)), usage_error);
  EXPECT_THROW((void)run_series(device, work, passes(-1, 1)), usage_error);
  EXPECT_THROW((void)run_series({}, work, passes(0, 1)), usage_error);
}

TEST(RunSeries, OnlyTheFirstSeriesOfAProcessIsFresh) {
  plan_device device(1_GiB);
  scripted_workload work;
  (void)run_series(device, work, passes(0, 1));
  scripted_workload again;
  EXPECT_FALSE(run_series(device, again, passes(0, 1)).fresh_process);
}

TEST(RunContext, WithoutARecorderRunsPhasesAndReadsNothing) {
  plan_device plan(1_GiB);
  device* const devices[] = {&plan};
  run_context timed(devices);
  EXPECT_EQ(&timed.device(), &plan);
  plan.allocator().deallocate(plan.allocator().allocate(4_MiB, {}, tag::other));
  int ran = 0;
  timed.phase("outer", [&] { timed.phase("inner", [&] { ++ran; }); });
  EXPECT_EQ(ran, 1);
  // A boundary would have reset the peak.
  EXPECT_EQ(plan.counters().read()[counter_id::allocated_peak], 4_MiB);
  EXPECT_THROW(timed.phase("failing", [] { throw std::runtime_error("no"); }), std::runtime_error);
}

}  // namespace
}  // namespace headroom
