// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Faults on cuda:0 over the emulated card: each request of a series refused, and each call that it
// makes of the CUDA libraries failing in turn.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <map>
#include <set>

#include "../api.hpp"
#include "faulty_series.hpp"

namespace headroom::test {
namespace {

using namespace headroom::literals;
using counts = std::map<std::string, std::uint64_t>;

counts calls_made() {
  counts all;
  headroom_emulation_each_call(
      [](void* into, const char* name, std::uint64_t count) {
        (*static_cast<counts*>(into))[name] += count;
      },
      &all);
  return all;
}

bool starts_with(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

/// What the call answers: the driver's and the runtime's "unknown error", cuBLAS's "internal
/// error".
int error_of(const std::string& call) {
  constexpr int out_of_memory = 2;
  constexpr int internal_error = 14;
  constexpr int unknown = 999;
  if (call == "cudaMalloc" || call == "cuMemCreate" || call == "cudaMallocFromPoolAsync") {
    return out_of_memory;
  }
  return starts_with(call, "cublas") ? internal_error : unknown;
}

/// Memory may stay taken, or be read as not known, and a series is right all the same.
bool gives_back(const std::string& call) {
  static const std::set<std::string> all{
      "cudaFree",   "cudaEventDestroy", "cudaStreamDestroy", "cublasDestroy_v2",
      "cuMemUnmap", "cuMemRelease",     "cuMemAddressFree",  "cudaFreeAsync"};
  return all.count(call) > 0;
}
bool only_reads(const std::string& call) {
  return starts_with(call, "nvml") || call == "cudaMemGetInfo" || call == "cudaRuntimeGetVersion" ||
         call == "cudaDriverGetVersion" || call == "cudaGetErrorName" ||
         call == "cudaGetErrorString" || call == "cudaGetLastError";
}

class CudaFaults : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    set_card("CARD", "24 GB");
    set_card("CONTENTS", "none");
  }
};
class RefusedRequests : public CudaFaults {};
class FailingCalls : public CudaFaults {};

INSTANTIATE_TEST_SUITE_P(Budgets, RefusedRequests,
                         testing::Values("decoder_chat_paged", "decoder_train_typical_sqrt",
                                         "dense_forward_typical", "dense_train_typical",
                                         "dense_train_typical_adapters_every_layer"),
                         [](const auto& each) { return each.param; });
INSTANTIATE_TEST_SUITE_P(Budgets, FailingCalls,
                         testing::Values("decoder_chat_offloaded", "decoder_chat_paged",
                                         "decoder_train_typical_sqrt", "dense_forward_typical",
                                         "dense_train_typical",
                                         "dense_train_typical_adapters_every_layer"),
                         [](const auto& each) { return each.param; });

TEST_P(RefusedRequests, EndAsOutOfMemoryOrAreTriedAgain) {
  const faulty_series under_test(GetParam(), "cuda:0");
  const std::size_t free_before = free_memory();
  const int faults = under_test.refuse_each_request();
  EXPECT_EQ(free_memory(), free_before) << "left on the card";
  RecordProperty("faults", faults);
  EXPECT_GE(faults, 20);
}

TEST_P(FailingCalls, AreToldOrTriedAgain) {
  const faulty_series under_test(GetParam(), "cuda:0");
  static_cast<void>(under_test.run({}));  // what is made once a process
  const counts before = calls_made();
  const fault_outcome without = under_test.run({});
  ASSERT_FALSE(without.told) << "without a fault: " << without.reason;
  counts made = calls_made();
  for (const auto& [call, count] : before) made[call] -= count;
  ASSERT_FALSE(without.unread);

  int faults = 0;
  constexpr std::uint64_t most_of_a_call = 25;
  for (const auto& [call, count] : made) {
    const std::uint64_t stride = std::max<std::uint64_t>(1, count / most_of_a_call);
    for (std::uint64_t n = 1; n <= count; n += stride) {
      SCOPED_TRACE(fmt::format("{} {} of {}", call, n, count));
      const std::size_t free_before = free_memory();
      headroom_emulation_fail_call(call.c_str(), n, error_of(call));
      testing::internal::CaptureStderr();
      const fault_outcome ended = under_test.run({});
      const std::string said = testing::internal::GetCapturedStderr();
      ++faults;
      EXPECT_TRUE(ended.valid_artifact) << ended.reason;
      if (gives_back(call)) continue;
      EXPECT_EQ(ended.leaked, 0_B) << ended.reason;
      EXPECT_EQ(free_memory(), free_before) << "left on the card: " << ended.reason;
      if (only_reads(call) || ended.retries > 0) continue;
      // What fails while memory is given back is said and changes no figure; what fails while the
      // free memory is read leaves that reading out.
      EXPECT_TRUE(ended.told || ended.unread || said.find("headroom: " + call) != std::string::npos)
          << ended.reason << "; on standard error: " << said;
    }
  }
  RecordProperty("faults", faults);
  EXPECT_GT(faults, 100);
  for (const char* call : {"cudaMalloc", "cudaFree", "cudaLaunchKernel", "cudaDeviceSynchronize",
                           "cudaMemGetInfo", "cublasCreate_v2"}) {
    EXPECT_GT(made[call], 0U) << call;
  }
}

}  // namespace
}  // namespace headroom::test
