// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// What an emulated call costs, in the mix of a training step: launches, queries of the device,
// fills and copies that are left out, events, and now and then a wait. HEADROOM_EMULATED_CARD must
// be set (24 GB); the aim is below 100 ns in the mean.
#include <benchmark/benchmark.h>

#include "emulation/abi/registration_calls.hpp"
#include "emulation/abi/runtime_calls.hpp"

namespace {

const char kernel = 0;

void training_step(benchmark::State& state) {
  void** const module = __cudaRegisterFatBinary(nullptr);
  __cudaRegisterFunction(module, &kernel, nullptr, "kernel", -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
  void* at = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  if (cudaMalloc(&at, std::size_t{1} << 30) != cudaSuccess ||
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess ||
      cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) {
    state.SkipWithError("no emulated card");
    return;
  }
  for (auto _ : state) {
    for (int layer = 0; layer < 12; ++layer) {
      for (int launch = 0; launch < 20; ++launch) {
        int device = 0;
        cudaGetDevice(&device);
        cudaLaunchKernel(&kernel, dim3(1024), dim3(256), nullptr, 0, stream);
        cudaGetLastError();
      }
      cudaMemsetAsync(at, 0, std::size_t{1} << 28, stream);
      cudaMemcpyAsync(at, static_cast<char*>(at) + (1 << 28), 1 << 28, cudaMemcpyDeviceToDevice,
                      stream);
      cudaEventRecord(event, stream);
      cudaEventQuery(event);
    }
    cudaStreamSynchronize(stream);
  }
  state.SetItemsProcessed(state.iterations() * (12 * 64 + 1));
  state.SetLabel("items are calls");
  cudaFree(at);
}

BENCHMARK(training_step);

}  // namespace

BENCHMARK_MAIN();
