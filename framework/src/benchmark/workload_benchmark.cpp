// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <exception>
#include <headroom/benchmark/stopwatch.hpp>
#include <headroom/benchmark/workload_benchmark.hpp>
#include <headroom/core/size_text.hpp>
#include <headroom/report/words.hpp>
#include <headroom/series/run_context.hpp>
#include <utility>

namespace headroom {
namespace {

void append(std::string& text, std::string_view between, const std::string& more) {
  if (!text.empty()) text += between;
  text += more;
}

/// The peaks with their unit, which Google Benchmark leaves out; what was not measured; and what
/// the row's numbers are where they are no measurement of a GPU.
std::string label_of(const device& on, const memory_passes& memory) {
  std::string peaks;
  std::string missing;
  for (const counter_id counter : all_counters) {
    const std::string words(words_of(counter));
    const std::optional<bytes> worst = memory.worst(counter);
    if (!worst) {
      append(missing, ", ", words);
    } else if (counter == counter_id::allocated_peak || counter == counter_id::reserved_peak) {
      append(peaks, ", ", words + " " + format_binary(*worst));
    }
  }
  std::string label = peaks;
  if (!missing.empty()) append(label, "; ", "not measured: " + missing);
  if (on.info().prediction()) {
    append(label, "; ", on.info().id + ": " + std::string(standing_words(true)));
    if (!on.computes()) label += "; the time is the plan's, no work was done";
  }
  return label;
}

}  // namespace

workload_benchmark::workload_benchmark(device& on, std::string name, factory make,
                                       workload_benchmark_options options)
    : on_(on), name_(std::move(name)), make_(std::move(make)), options_(std::move(options)) {}

const memory_passes* workload_benchmark::memory() const {
  return memory_ && failure_.empty() ? &*memory_ : nullptr;
}

std::optional<double> workload_benchmark::run(::benchmark::State& state) {
  measure_memory();
  if (!failure_.empty()) {
    state.SkipWithError(failure_.c_str());
    return std::nullopt;
  }
  try {
    return time(state);
  } catch (const std::exception& problem) {
    state.counters.clear();
    state.SkipWithError((std::string("failed in the timed passes: ") + problem.what()).c_str());
    return std::nullopt;
  }
}

void workload_benchmark::measure_memory() {
  if (memory_ || !failure_.empty()) return;
  try {
    const std::unique_ptr<workload> work = make_();
    memory_ = run_memory_passes(on_, *work, {options_.protocol, name_, options_.artifact_folder});
    failure_ = memory_->failure();
  } catch (const std::exception& problem) {
    failure_ = problem.what();
  }
}

double workload_benchmark::time(::benchmark::State& state) {
  device* const devices[] = {&on_};
  run_context run(devices);
  const std::unique_ptr<workload> work = make_();
  work->load(run);
  work->make_inputs(run);
  for (int i = 0; i < options_.untimed_passes; ++i) work->run_pass(run);
  stopwatch watch(on_);
  double total = 0.0;
  for (auto _ : state) {
    watch.start();
    work->run_pass(run);
    const double seconds = watch.stop();
    state.SetIterationTime(seconds);
    total += seconds;
  }
  add_counters(state.counters, *memory_);
  state.SetLabel(label_of(on_, *memory_));
  return total / static_cast<double>(state.iterations());
}

::benchmark::internal::Benchmark* register_workload_benchmark(device& on, const std::string& name,
                                                              workload_benchmark::factory make,
                                                              workload_benchmark_options options) {
  const auto row =
      std::make_shared<workload_benchmark>(on, name, std::move(make), std::move(options));
  auto* const made = ::benchmark::RegisterBenchmark(
      name.c_str(), [row](::benchmark::State& state) { row->run(state); });
  made->UseManualTime();
  return made;
}

}  // namespace headroom
