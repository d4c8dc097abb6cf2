// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/run_series.hpp>
#include <headroom_kernels/decoder_network.hpp>
#include <headroom_kernels/workloads.hpp>

namespace headroom::kernels {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// The most memory that this process has held so far, in MB.
double process_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1000.0;
}

workload_description describe(const char* operation, const char* shape, dimensions requested) {
  workload_description made;
  made.name = "decoder";
  made.operation = operation;
  made.dtype = "bfloat16";
  made.requested = std::move(requested);
  made.options = {{"shape", shape}};
  return made;
}

/// One cold pass of a workload on the plan device, load and inputs included.
void plan_pass(benchmark::State& state, const workload_description& description) {
  for (auto _ : state) {
    plan_device plan("10TB");
    const auto work = make_workload(description);
    phase_recorder recorder(std::vector<device*>{&plan});
    run_context run(recorder);
    run.phase("model_load", [&] { work->load(run); });
    run.phase("inputs", [&] { work->make_inputs(run); });
    run.phase("pass", [&] { work->run_pass(run); });
    const auto& peak = recorder.phases()[2].readings[0].end[counter_id::allocated_peak];
    state.counters["allocated_peak_GB"] = static_cast<double>(peak.value_or(bytes{}).n) / 1e9;
  }
  state.counters["process_MB"] = process_megabytes();
}

/// Time of a decoded token on the cpu, and the share of it that the token's matrix products take
/// when they are run alone.
void decode_on_cpu(benchmark::State& state) {
  decoder_shape dims = decoder_preset("1b").value();
  dims.layers = 2;
  dims.vocabulary = 32000;
  cpu_device cpu;
  const decoder_network network(cpu, {}, dims, 1);
  matrix_library products(cpu, {});
  constexpr std::int64_t prompt = 256;
  kv_cache_settings settings;
  settings.strategy = kv_cache_strategy::fixed;
  settings.layers = dims.layers;
  settings.kv_heads = dims.kv_heads;
  settings.head_dim = dims.head_dim;
  settings.type = dims.type;
  settings.capacity = 1 << 14;
  settings.lengths = {settings.capacity};
  const auto cache = kv_cache::make(cpu, {}, settings);
  std::vector<std::int32_t> tokens(prompt, 7);
  const auto step = [&](std::int64_t count) {
    const tensor logits =
        network.forward(products, *cache, {{tokens.data(), count}, {{0, count}}}, {});
    benchmark::DoNotOptimize(logits.address());
  };
  step(prompt);

  const tensor x(cpu, {}, {{"rows", 1}, {"width", dims.width}}, dims.type, tag::other);
  const tensor wide(cpu, {}, {{"rows", 1}, {"width", 2 * dims.ffn}}, dims.type, tag::other);
  const tensor logits(cpu, {}, {{"rows", 1}, {"width", dims.vocabulary}}, dims.type, tag::other);
  const auto product = [&](const tensor& from, const tensor& weight, const tensor& to) {
    matrix_view a = matrix_of(from);
    matrix_view c = matrix_of(to);
    a.columns = weight.dims().rows();
    c.columns = weight.dims().width();
    products.multiply(a, matrix_of(weight), c);
  };
  double alone = 0.0;
  double all = 0.0;
  for (auto _ : state) {
    const auto begin = clock::now();
    step(1);
    all += seconds_since(begin);
    state.PauseTiming();
    const auto again = clock::now();
    for (const decoder_network::layer& own : network.layers()) {
      product(x, own.projections.plain(), wide);
      product(x, own.attention_output.plain(), wide);
      product(x, own.gate_up.plain(), wide);
      product(wide, own.down.plain(), x);
    }
    products.multiply(matrix_of(x), transpose(matrix_of(network.output())), matrix_of(logits));
    alone += seconds_since(again);
    state.ResumeTiming();
  }
  state.counters["share_of_products"] = alone / all;
}
// The plans come first: the process's memory is then theirs.
BENCHMARK_CAPTURE(plan_pass, generate_8b_8192_and_256,
                  describe("generate", "8b", {{"sequences", 1}, {"prompt", 8192}, {"decode", 256}}))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_pass, train_70b_step,
                  describe("train", "70b", {{"batch", 1}, {"context", 4096}}))
    ->Unit(benchmark::kMillisecond);
BENCHMARK(decode_on_cpu)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headroom::kernels
