// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// That it is the CUDA code that runs: every call that a small series makes of the CUDA libraries.
#include "call_counts.hpp"

#include <gmock/gmock.h>

#include "cases.hpp"
#include "measured.hpp"

namespace headroom::test {
namespace {

struct small_series {
  std::int64_t layers;
  int warm_repeats;
};
void PrintTo(const small_series& each, std::ostream* out) {
  *out << each.layers << " layers, " << each.warm_repeats << " warm repeats";
}

class CallsOverEmulation : public testing::TestWithParam<small_series> {};

INSTANTIATE_TEST_SUITE_P(Forward, CallsOverEmulation,
                         testing::Values(small_series{1, 1}, small_series{3, 1}, small_series{1, 4},
                                         small_series{3, 2}),
                         [](const auto& each) {
                           return "layers" + std::to_string(each.param.layers) + "repeats" +
                                  std::to_string(each.param.warm_repeats);
                         });

TEST_P(CallsOverEmulation, AreThoseOfTheNetworkAndNoOthers) {
  set_card("CARD", "1 GiB");
  set_card("CONTENTS", "all");
  suite_case what = make_small_cases().cases.at(0);
  ASSERT_EQ(what.name, "dense_forward_float32");
  what.what.requested.set("layers", GetParam().layers);
  what.passes = {0, GetParam().warm_repeats};

  const call_counts before = calls_made();
  const series_record series = measure(what, "cuda:0", keep::nothing).series;
  call_counts made = calls_since(before);
  EXPECT_EQ(series.failed_phase(), nullptr);
  EXPECT_EQ(headroom_emulation_launches_left_out(), 0U);

  const auto layers = static_cast<std::uint64_t>(GetParam().layers);
  const auto passes = 1 + static_cast<std::uint64_t>(GetParam().warm_repeats);
  const std::uint64_t phases = 2 + passes;  // model_load and inputs
  const std::uint64_t boundaries = 2 * phases;
  // Which device it is, and calls that only choose the device or look at the last error.
  for (const char* call : {"cudaGetDeviceCount", "cudaGetDeviceProperties", "cudaDriverGetVersion",
                           "cudaRuntimeGetVersion", "cudaGetLastError", "cudaSetDevice",
                           "nvmlInit_v2", "nvmlSystemGetNVMLVersion"}) {
    EXPECT_EQ(made.erase(call), 1U) << call << " was not made";
  }
  const call_counts expected{
      {"cudaMalloc", 3},  // the probe, the small pool, the workspace
      {"cudaFree", 3},
      {"cudaLaunchKernel", 2 * layers + 1           // weights and bias of each layer, inputs
                               + layers * passes},  // bias and activation
      {"cublasCreate_v2", 1},
      {"cublasSetStream_v2", 1},
      {"cublasSetWorkspace_v2", 1},
      {"cublasSetMathMode", 1},
      {"cublasSgemm_v2", layers * passes},
      {"cublasDestroy_v2", 1},
      {"cudaDeviceSynchronize", boundaries + 2},  // of the probe
      {"cudaMemGetInfo", boundaries},
      {"nvmlDeviceGetHandleByUUID", boundaries + 1},
      {"nvmlDeviceGetMemoryInfo_v2", boundaries},
      {"nvmlDeviceGetComputeRunningProcesses_v3", boundaries}};
  EXPECT_EQ(made, expected);
}

TEST(CallsOfOtherDevices, DoNoWorkOnACard) {
  set_card("CARD", "1 GiB");
  const suite_case what = make_small_cases().cases.at(0);
  for (const char* device : {"cpu", "plan:1GiB"}) {
    static_cast<void>(measure(what, device, keep::nothing));
  }
  call_counts made = calls_made();
  // The environment that an artifact records, and kernels that are named when a program is loaded.
  std::erase_if(made, [](const auto& each) {
    return each.first.starts_with("nvml") || each.first.starts_with("__cudaRegister") ||
           each.first.ends_with("GetVersion") || each.first == "cudaGetLastError";
  });
  EXPECT_THAT(made, testing::IsEmpty());
}

}  // namespace
}  // namespace headroom::test
