// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <benchmark/benchmark.h>

#include <chrono>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom/series/phase_recorder.hpp>
#include <headroom_kernels/dense_network.hpp>
#include <headroom_kernels/ops/bias_gelu.hpp>
#include <headroom_kernels/ops/fill.hpp>

namespace headroom::kernels {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::int64_t typical_layers = 4;
constexpr dense_shape typical{2, 128, 1024, typical_layers, dtype::float32};

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// A network that is loaded, with its inputs, after one pass.
class warm_network {
 public:
  warm_network(device& on, const dense_shape& dims)
      : on_(on),
        network_(on, {}, dims, 1234),
        products_(on, {}),
        input_(on, {}, dims.activation(), dims.type, tag::inputs) {
    fill_uniform(on, {}, input_, 1, 1.0F);
    pass();
  }
  void pass() {
    output_ = {};
    output_ = network_.forward(products_, input_);
    on_.synchronize();
  }

 private:
  device& on_;
  dense_network network_;
  matrix_library products_;
  tensor input_;
  tensor output_;
};

void dense_forward(benchmark::State& state, const dense_shape& dims) {
  cpu_device cpu;
  warm_network network(cpu, dims);
  for (auto _ : state) network.pass();
  const double rows = static_cast<double>(dims.batch * dims.context);
  const double width = static_cast<double>(dims.width);
  state.counters["flop/s"] = benchmark::Counter(
      2 * rows * width * width * static_cast<double>(dims.layers),
      benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}
BENCHMARK_CAPTURE(dense_forward, typical_float32, typical)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dense_forward, typical_bfloat16,
                  dense_shape{2, 128, 1024, typical_layers, dtype::bfloat16})
    ->Unit(benchmark::kMillisecond);

/// The share of a layer that is not the matrix product.
void bias_gelu(benchmark::State& state, dtype type) {
  cpu_device cpu;
  const tensor x(cpu, {}, typical.activation(), type, tag::other);
  const tensor y(cpu, {}, typical.activation(), type, tag::other);
  const tensor bias(cpu, {}, {{"width", typical.width}}, type, tag::other);
  fill_uniform(cpu, {}, x, 1, 3.0F);
  fill_uniform(cpu, {}, bias, 2, 0.1F);
  for (auto _ : state) bias_gelu_forward(cpu, {}, x, bias, y);
  state.SetItemsProcessed(state.iterations() * x.dims().elements());
}
BENCHMARK_CAPTURE(bias_gelu, float32, dtype::float32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bias_gelu, bfloat16, dtype::bfloat16)->Unit(benchmark::kMillisecond);

/// Aim: under 50 ms for 1 000 layers, weights included.
void plan_of_a_dense_forward(benchmark::State& state) {
  dense_shape dims = typical;
  dims.layers = state.range(0);
  for (auto _ : state) {
    plan_device plan(bytes{std::int64_t{1} << 40});
    warm_network network(plan, dims);
  }
}
BENCHMARK(plan_of_a_dense_forward)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

/// Aim: one boundary on the plan device costs less than 1 % of a warm typical forward on the cpu.
void phase_boundary(benchmark::State& state) {
  cpu_device cpu;
  warm_network on_cpu(cpu, typical);
  constexpr int passes = 5;
  clock::time_point start = clock::now();
  for (int i = 0; i < passes; ++i) on_cpu.pass();
  const double forward = seconds_since(start) / passes;

  plan_device plan(bytes{std::int64_t{1} << 40});
  warm_network on_plan(plan, typical);
  device* const devices[] = {&plan};
  constexpr int phases = 100;  // a recorder keeps what it recorded: a new one now and then
  start = clock::now();
  for (auto _ : state) {
    phase_recorder recorder(devices);
    for (int i = 0; i < phases; ++i) {
      recorder.open("warm_forward");
      recorder.close();
    }
  }
  const double boundary =
      seconds_since(start) / (static_cast<double>(state.iterations()) * phases * 2);
  state.counters["boundary_s"] = boundary;
  state.counters["percent_of_a_forward"] = 100 * boundary / forward;
}
BENCHMARK(phase_boundary)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace headroom::kernels
