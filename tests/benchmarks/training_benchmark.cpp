// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <benchmark/benchmark.h>

#include <headroom/benchmark/stopwatch.hpp>
#include <headroom/device/cpu_device.hpp>
#include <headroom/device/plan_device.hpp>
#include <headroom_kernels/dense_training_workload.hpp>
#include <headroom_kernels/ops/fill.hpp>

namespace headroom::kernels {
namespace {

workload_description training(std::int64_t batch, std::int64_t width, std::int64_t layers,
                              const char* policy) {
  workload_description description;
  description.name = "dense";
  description.operation = "train";
  description.revision = "1";
  description.seed = 1234;
  description.dtype = "float32";
  description.requested = {
      {"batch", batch}, {"context", 256}, {"width", width}, {"layers", layers}};
  description.options = {{"checkpointing", policy}};
  return description;
}

/// All products of a training step that runs nothing again, and nothing else.
class step_products {
 public:
  step_products(device& on, const dense_shape& dims)
      : on_(on),
        products_(on, {}),
        weights_(on, {}, dims, 1234),
        x_(on, {}, dims.activation(), dims.type, tag::other),
        y_(on, {}, dims.activation(), dims.type, tag::other),
        out_(on, {}, dims.activation(), dims.type, tag::other) {
    fill_uniform(on, {}, x_, 1, 1.0F);
    fill_uniform(on, {}, y_, 2, 1.0F);
    for (const auto& layer : weights_.layers()) {
      gradients_.emplace_back(on, stream_id{}, layer.weight.dims(), dtype::float32, tag::other);
    }
  }
  void run() {
    const auto& layers = weights_.layers();
    for (const auto& layer : layers) {
      products_.multiply(matrix_of(x_), matrix_of(layer.weight), matrix_of(out_));
    }
    for (std::size_t i = layers.size(); i-- > 0;) {
      products_.multiply(1.0F, transpose(matrix_of(x_)), matrix_of(y_), 0.0F,
                         matrix_of(gradients_[i]));
      if (i == 0) break;
      products_.multiply(matrix_of(y_), transpose(matrix_of(layers[i].weight)), matrix_of(out_));
    }
    on_.synchronize();
  }

 private:
  device& on_;
  matrix_library products_;
  dense_network weights_;
  tensor x_;
  tensor y_;
  tensor out_;
  std::vector<tensor> gradients_;
};

/// Aim: at width 1024 at least 70 % of a step is spent in the matrix library. Step and products
/// take turns, so that a slow moment of the machine falls on both.
void share_of_products(benchmark::State& state) {
  cpu_device cpu;
  device* const devices[] = {&cpu};
  run_context run(devices);
  dense_training_workload work(training(state.range(0), state.range(1), 8, "none"));
  work.load(run);
  work.make_inputs(run);
  work.run_pass(run);
  step_products products(cpu, work.dims().microbatch);
  products.run();
  stopwatch watch(cpu);
  double of_steps = 0.0;
  double of_products = 0.0;
  for (auto _ : state) {
    watch.start();
    work.run_pass(run);
    const double step = watch.stop();
    watch.start();
    products.run();
    of_products += watch.stop();
    of_steps += step;
    state.SetIterationTime(step);
  }
  state.counters["percent_in_products"] = 100 * of_products / of_steps;
}
BENCHMARK(share_of_products)
    ->ArgNames({"batch", "width"})
    ->Args({4, 256})
    ->Args({4, 512})
    ->Args({1, 1024})
    ->Args({4, 1024})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// Aim: under 150 ms for 1 000 layers: loading, inputs and the first step on the plan device, with
/// its boundaries.
void plan_of_a_training_step(benchmark::State& state, const char* policy) {
  for (auto _ : state) {
    plan_device plan(bytes{std::int64_t{1} << 50});
    device* const devices[] = {&plan};
    phase_recorder recorder(devices);
    run_context run(recorder);
    dense_training_workload work(training(4, 1024, state.range(0), policy));
    work.load(run);
    work.make_inputs(run);
    work.run_pass(run);
    benchmark::DoNotOptimize(recorder.phases().size());
  }
}
BENCHMARK_CAPTURE(plan_of_a_training_step, none, "none")
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_of_a_training_step, sqrt, "sqrt")->Arg(1000)->Unit(benchmark::kMillisecond);

/// The same figures from the sizes alone, without a device.
void sizes_of_a_training_step(benchmark::State& state) {
  const dense_training_workload work(training(4, 1024, state.range(0), "sqrt"));
  for (auto _ : state) benchmark::DoNotOptimize(work.plan().warm.peak());
}
BENCHMARK(sizes_of_a_training_step)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headroom::kernels
