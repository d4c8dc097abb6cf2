// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include <headroom/benchmark/device_memory_manager.hpp>
#include <headroom/benchmark/stopwatch.hpp>
#include <headroom/benchmark/workload_benchmark.hpp>
#include <headroom/core/error.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/artifact_reader.hpp>

#include "support/benchmark_json.hpp"
#include "support/scripted_workload.hpp"
#include "support/temporary_folder.hpp"

namespace headroom {
namespace {

using nlohmann::json;
using test::scripted_workload;
using testing::HasSubstr;
using testing::StartsWith;

/// A first pass peaks at 12 MiB and leaves 2 MiB of state; later ones peak at 10 MiB.
void uneven_pass(run_context& run, std::vector<buffer>& state, int pass) {
  run.phase("inner", [&] {
    const buffer temporary(run.device(), pass == 0 ? 7_MiB : 3_MiB, tag::activations);
  });
  if (pass == 0) state.emplace_back(run.device(), 2_MiB, tag::optimizer);
}

class WorkloadBenchmark : public testing::Test {
 protected:
  void TearDown() override { benchmark::RegisterMemoryManager(nullptr); }

  workload_benchmark_options options() const { return {{1, 2}, 1, folder_.path()}; }
  /// The JSON of one row of the workload, in `iterations` timed passes.
  json row_of(device& on, workload_benchmark::factory make, int iterations = 3) {
    register_workload_benchmark(on, "row", std::move(make), options())->Iterations(iterations);
    return test::run_benchmarks_as_json().at("benchmarks").at(0);
  }
  json row_of(workload_benchmark::factory make) { return row_of(plan_, std::move(make)); }
  workload_benchmark::factory failing(int pass, std::function<void(run_context&)> how) {
    return [=] {
      return std::make_unique<scripted_workload>([=](run_context& run, int now) {
        if (now == pass) run.phase("inner", [&] { how(run); });
      });
    };
  }
  std::vector<stored_artifact> artifacts() const {
    std::vector<stored_artifact> all;
    for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
      all.push_back(read_artifact(file.path()));
    }
    return all;
  }

  test::temporary_folder folder_;
  plan_device plan_{bytes{1_GiB}};
};

workload_benchmark::factory uneven() {
  return [] {
    auto state = std::make_shared<std::vector<buffer>>();
    return std::make_unique<scripted_workload>(
        [state](run_context& run, int pass) { uneven_pass(run, *state, pass); });
  };
}

TEST_F(WorkloadBenchmark, EachRowHasTimeAndTheFourCountersOfColdAndWarm) {
  const json row = row_of(uneven());
  EXPECT_EQ(row.at("name"), "row/iterations:3/manual_time");
  EXPECT_EQ(row.at("iterations"), 3);
  EXPECT_GT(row.at("real_time").get<double>(), 0.0);
  EXPECT_EQ(row.at("cold_allocated_current"), (7_MiB).n);
  EXPECT_EQ(row.at("cold_allocated_peak"), (12_MiB).n);
  EXPECT_EQ(row.at("warm_allocated_current"), (7_MiB).n);
  EXPECT_EQ(row.at("warm_allocated_peak"), (10_MiB).n);
  for (const char* pass : {"cold", "warm"}) {
    for (const char* counter : {"reserved_current", "reserved_peak"}) {
      EXPECT_EQ(row.at(std::string(pass) + "_" + counter), (22_MiB).n) << pass << counter;
    }
  }
  EXPECT_FALSE(row.contains("error_occurred"));
}

TEST_F(WorkloadBenchmark, TheConsoleShowsTheSameCounters) {
  register_workload_benchmark(plan_, "row", uneven(), options())->Iterations(2);
  const std::string console = test::run_benchmarks_as_console();
  for (const char* shown :
       {"cold_allocated_peak=12M", "warm_allocated_peak=10M", "cold_reserved_peak=22M",
        "warm_reserved_current=22M", "allocated peak 12.00 MiB, reserved peak 22.00 MiB; "}) {
    EXPECT_THAT(console, HasSubstr(shown));
  }
  EXPECT_THAT(console, HasSubstr("prediction, not a GPU measurement"));
}

TEST_F(WorkloadBenchmark, TheArtifactHoldsTheExactBytesOfTheRow) {
  const json row = row_of(uneven());
  const std::vector<stored_artifact> written = artifacts();
  ASSERT_EQ(written.size(), 1U);
  const series_record& series = written[0].series;
  EXPECT_EQ(series.test, "row");
  EXPECT_EQ(written[0].result.outcome, outcome::within);
  EXPECT_FALSE(written[0].against);
  int compared = 0;
  for (const phase_record& phase : series.phases) {
    if (!series.is_judged_pass(phase)) continue;
    for (const counter_id counter : all_counters) {
      const std::string name =
          std::string(name_of(phase.pass)) + "_" + std::string(name_of(counter));
      EXPECT_EQ(row.at(name).get<double>(),
                static_cast<double>(phase.readings.at(0).end[counter].value().n))
          << name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 3 * 4);
}

TEST_F(WorkloadBenchmark, MemoryIsMeasuredOnceAndBeforeTime) {
  std::vector<std::string> order;
  const auto make = [&] {
    order.push_back("made");
    return std::make_unique<scripted_workload>([&](run_context&, int) { order.push_back("pass"); });
  };
  device_memory_manager manager(plan_);
  benchmark::RegisterMemoryManager(&manager);
  const json row = row_of(plan_, make, 2);
  // The series: cold, warmup, two warm. Then the timed workload, and Google Benchmark's own pass.
  const std::vector<std::string> timed{"made", "pass", "pass", "pass"};
  std::vector<std::string> expected{"made", "pass", "pass", "pass", "pass"};
  expected.insert(expected.end(), timed.begin(), timed.end());
  expected.insert(expected.end(), timed.begin(), timed.end());
  EXPECT_EQ(order, expected);
  EXPECT_EQ(artifacts().size(), 1U);
  EXPECT_EQ(row.at("max_bytes_used"), (5_MiB).n);
  EXPECT_EQ(row.at("net_heap_growth"), 0);
}

TEST_F(WorkloadBenchmark, NoCounterIsReadWhileTimeIsTaken) {
  bool timing = false;
  int passes = 0;
  const auto make = [&] {
    return std::make_unique<scripted_workload>([&](run_context& run, int) {
      if (++passes <= 4) return;  // of the memory passes
      timing = true;
      { const buffer temporary(run.device(), 64_MiB, tag::temporary); }
      run.phase("inner", [] {});  // a boundary would reset the peak
      EXPECT_EQ(run.device().counters().read()[counter_id::allocated_peak], 69_MiB);
    });
  };
  row_of(make);
  EXPECT_TRUE(timing);
}

TEST_F(WorkloadBenchmark, FiguresOfRepeatedRunsAreEqual) {
  json first;
  for (int run = 0; run < 3; ++run) {
    json row = row_of(uneven());
    for (const char* timed : {"real_time", "cpu_time"}) row.erase(timed);
    row.erase("family_index");
    if (run == 0) first = row;
    EXPECT_EQ(row, first);
  }
}

void expect_error(const json& row, const testing::Matcher<std::string>& text) {
  EXPECT_EQ(row.at("error_occurred"), true);
  EXPECT_THAT(row.at("error_message").get<std::string>(), text);
  for (const auto& [name, value] : row.items()) {
    EXPECT_FALSE(name.starts_with("cold_") || name.starts_with("warm_")) << name;
  }
  EXPECT_EQ(row.at("real_time"), 0.0);  // as Google Benchmark writes none
}

TEST_F(WorkloadBenchmark, AWorkloadThatFailsInTheMemoryPassIsAnErrorOfTheRow) {
  const json row = row_of(failing(2, [](run_context&) { throw error("the loss is nan"); }));
  expect_error(row,
               StartsWith("failed in the memory pass: phase inner: the loss is nan; artifact "));
  ASSERT_EQ(artifacts().size(), 1U);
  EXPECT_EQ(artifacts()[0].result.outcome, outcome::failed);
}

TEST_F(WorkloadBenchmark, OutOfMemoryIsAnErrorOfTheRowAndTheNextRowRuns) {
  const auto too_much = [](run_context& run) {
    const buffer block(run.device(), 2_GiB, tag::activations);
  };
  const json row = row_of(failing(0, too_much));
  expect_error(row, testing::AllOf(StartsWith("out of memory in the memory pass: phase inner: "),
                                   HasSubstr("2147483648 B")));
  EXPECT_EQ(artifacts().at(0).result.outcome, outcome::out_of_memory);
  EXPECT_EQ(row_of(uneven()).at("cold_allocated_peak"), (12_MiB).n);
}

TEST_F(WorkloadBenchmark, AFailureInTheTimedPassesIsAnErrorOfTheRow) {
  // The memory passes are the first four of their workload; the fifth is a timed one.
  const json row = row_of(plan_, failing(4, [](run_context&) { throw error("late"); }), 5);
  expect_error(row, testing::StrEq("failed in the timed passes: late"));
}

TEST_F(WorkloadBenchmark, AFactoryThatRefusesIsAnErrorOfTheRow) {
  const json row =
      row_of([]() -> std::unique_ptr<workload> { throw usage_error("no such policy"); });
  expect_error(row, testing::StrEq("no such policy"));
  EXPECT_TRUE(artifacts().empty());
}

TEST_F(WorkloadBenchmark, ResultsThatDifferAreAnErrorOfTheRow) {
  const json row = row_of([] {
    auto work = std::make_unique<scripted_workload>([](run_context&, int) {});
    work->add_check({"outputs", false, 0.5, 0.0, "the outputs differ"});
    return work;
  });
  expect_error(row, HasSubstr("check outputs: the outputs differ"));
}

TEST_F(WorkloadBenchmark, AnArtifactFolderThatCannotBeWrittenIsAnErrorOfTheRow) {
  workload_benchmark_options nowhere = options();
  nowhere.artifact_folder = "/proc/none";
  register_workload_benchmark(plan_, "row", uneven(), nowhere)->Iterations(1);
  expect_error(test::run_benchmarks_as_json().at("benchmarks").at(0),
               HasSubstr("/proc/none: cannot be written"));
}

TEST_F(WorkloadBenchmark, SaysThatAPlansTimeIsNoTimeOfWork) {
  cpu_device cpu;
  constexpr std::string_view peaks = "allocated peak 12.00 MiB, reserved peak 22.00 MiB; ";
  EXPECT_EQ(row_of(cpu, uneven(), 1).at("label"),
            std::string(peaks) + "cpu: prediction, not a GPU measurement");
  EXPECT_EQ(
      row_of(uneven()).at("label"),
      std::string(peaks) +
          "plan:1073741824B: prediction, not a GPU measurement; the time is the plan's, no work "
          "was done");
}

/// A plan device whose counters have no reserved peak.
class peakless_device final : public device, counter_source {
 public:
  [[nodiscard]] const device_info& info() const override { return under_.info(); }
  [[nodiscard]] headroom::allocator& allocator() override { return under_.allocator(); }
  [[nodiscard]] counter_source& counters() override { return *this; }
  [[nodiscard]] system_reading read_system() const override { return {}; }
  [[nodiscard]] bool computes() const override { return false; }
  [[nodiscard]] stream_id create_stream() override { return under_.create_stream(); }
  void order_after(stream_id, stream_id) override {}
  void synchronize(stream_id) override {}
  void synchronize() override {}
  [[nodiscard]] void* native_stream(stream_id) override { return nullptr; }
  void copy_to_device(void*, const void*, bytes, stream_id) override {}
  void copy_to_host(void*, const void*, bytes, stream_id) override {}
  void copy_on_device(void*, const void*, bytes, stream_id) override {}
  void fill_zero(void*, bytes, stream_id) override {}

  [[nodiscard]] source_description describe_counters() const override {
    source_description all = of_plan().describe_counters();
    all[counter_id::reserved_peak] = {false, false, "the pool keeps no such peak"};
    return all;
  }
  [[nodiscard]] source_reading read() const override {
    source_reading all = of_plan().read();
    all[counter_id::reserved_peak].reset();
    return all;
  }
  void reset_peaks() override { of_plan().reset_peaks(); }

 private:
  counter_source& of_plan() const { return under_.counters(); }
  mutable plan_device under_{bytes{1_GiB}};
};

TEST_F(WorkloadBenchmark, ACounterThatIsNotThereIsLeftOutAndSaid) {
  peakless_device on;
  const json row = row_of(on, uneven(), 1);
  EXPECT_FALSE(row.contains("cold_reserved_peak"));
  EXPECT_FALSE(row.contains("warm_reserved_peak"));
  EXPECT_EQ(row.at("warm_reserved_current"), (22_MiB).n);
  EXPECT_THAT(row.at("label").get<std::string>(), HasSubstr("; not measured: reserved peak; "));
}

TEST(Stopwatch, ReadsTheHostsClockWhereThereIsNoGpu) {
  plan_device plan(1_GiB);
  stopwatch watch(plan);
  EXPECT_EQ(watch.clock(), "host clock");
  watch.start();
  EXPECT_GE(watch.stop(), 0.0);
}

}  // namespace
}  // namespace headroom
