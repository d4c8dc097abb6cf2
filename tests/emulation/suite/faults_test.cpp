// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Faults on cuda:0 over the emulated card: each request of a series refused, and each call that it
// makes of the CUDA libraries failing in turn.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <headroom/core/error.hpp>
#include <set>

#include "../api.hpp"
#include "call_counts.hpp"
#include "faulty_series.hpp"

namespace headroom::test {
namespace {

using namespace headroom::literals;

bool starts_with(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

/// What the call answers: the driver's and the runtime's "unknown error", cuBLAS's and NCCL's
/// "internal error".
int error_of(const std::string& call) {
  constexpr int out_of_memory = 2;
  constexpr int internal_error = 14;
  constexpr int internal_error_of_nccl = 3;
  constexpr int unknown = 999;
  if (call == "cudaMalloc" || call == "cuMemCreate" || call == "cudaMallocFromPoolAsync") {
    return out_of_memory;
  }
  if (starts_with(call, "nccl")) return internal_error_of_nccl;
  return starts_with(call, "cublas") ? internal_error : unknown;
}

/// Memory may stay taken, or be read as not known, and a series is right all the same.
bool gives_back(const std::string& call) {
  static const std::set<std::string> all{
      "cudaFree",     "cudaEventDestroy", "cudaStreamDestroy", "cublasDestroy_v2", "cuMemUnmap",
      "cuMemRelease", "cuMemAddressFree", "cudaFreeAsync",     "ncclCommDestroy"};
  return all.count(call) > 0;
}
bool only_reads(const std::string& call) {
  return starts_with(call, "nvml") || call == "cudaMemGetInfo" || call == "cudaRuntimeGetVersion" ||
         call == "cudaDriverGetVersion" || call == "cudaGetErrorName" ||
         call == "cudaGetErrorString" || call == "cudaGetLastError";
}

constexpr const char* on_two_devices = "dense_train_typical_parallel";

/// Of both cards.
std::size_t free_on_cards() {
  std::size_t free = 0;
  for (const int number : {1, 0}) {
    EXPECT_EQ(cudaSetDevice(number), cudaSuccess);
    free += free_memory();
  }
  return free;
}

class CudaFaults : public testing::Test {
 protected:
  void SetUp() override {
    set_card("CARD", "24 GB");
    set_card("DEVICES", "2");
    set_card("CONTENTS", "none");
  }
};
class FailingCalls : public CudaFaults, public testing::WithParamInterface<std::string> {};

/// A part of a budget's requests.
struct refused_part {
  const char* budget;
  int part = 0;
  int parts = 1;
};
void PrintTo(const refused_part& each, std::ostream* out) {
  *out << each.budget << ", part " << each.part + 1 << " of " << each.parts;
}

std::vector<refused_part> refused_parts() {
  std::vector<refused_part> all{{"decoder_train_typical_sqrt"},
                                {"dense_forward_typical"},
                                {"dense_train_typical"},
                                {"dense_train_typical_adapters_every_layer"}};
  // One budget makes most requests. A sanitizer is slow, and told enough by every fourth of them.
  constexpr int parts = 4;
#ifdef __SANITIZE_ADDRESS__
  constexpr int run = 1;
#else
  constexpr int run = parts;
#endif
  for (int part = 0; part < run; ++part) all.push_back({"decoder_chat_paged", part, parts});
  return all;
}

class RefusedRequests : public CudaFaults, public testing::WithParamInterface<refused_part> {};

INSTANTIATE_TEST_SUITE_P(Budgets, RefusedRequests, testing::ValuesIn(refused_parts()),
                         [](const auto& each) {
                           const std::string name = each.param.budget;
                           return each.param.parts == 1
                                      ? name
                                      : fmt::format("{}_{}", name, each.param.part + 1);
                         });
INSTANTIATE_TEST_SUITE_P(Budgets, FailingCalls,
                         testing::Values("decoder_chat_offloaded", "decoder_chat_paged",
                                         "decoder_train_typical_sqrt", "dense_forward_typical",
                                         "dense_train_typical",
                                         "dense_train_typical_adapters_every_layer",
                                         on_two_devices),
                         [](const auto& each) { return each.param; });

TEST_P(RefusedRequests, EndAsOutOfMemoryOrAreTriedAgain) {
  const faulty_series under_test(GetParam().budget, "cuda:0");
  const std::size_t free_before = free_memory();
  const int faults = under_test.refuse_each_request(GetParam().part, GetParam().parts);
  EXPECT_EQ(free_memory(), free_before) << "left on the card";
  RecordProperty("faults", faults);
  EXPECT_GE(faults, 20);
}

TEST_P(FailingCalls, AreToldOrTriedAgain) {
  const bool several = GetParam() == on_two_devices;
  const faulty_series under_test(GetParam(), several ? "cuda:0,cuda:1" : "cuda:0");
  static_cast<void>(under_test.run({}));  // what is made once a process
  const call_counts before = calls_made();
  const fault_outcome without = under_test.run({});
  ASSERT_FALSE(without.told) << "without a fault: " << without.reason;
  call_counts made = calls_since(before);
  ASSERT_FALSE(without.unread);

  int faults = 0;
  constexpr std::uint64_t most_of_a_call = 25;
  for (const auto& [call, count] : made) {
    const std::uint64_t stride = std::max<std::uint64_t>(1, count / most_of_a_call);
    for (std::uint64_t n = 1; n <= count; n += stride) {
      SCOPED_TRACE(fmt::format("{} {} of {}", call, n, count));
      const std::size_t free_before = free_on_cards();
      headroom_emulation_fail_call(call.c_str(), n, error_of(call));
      testing::internal::CaptureStderr();
      const fault_outcome ended = under_test.run({});
      const std::string said = testing::internal::GetCapturedStderr();
      ++faults;
      EXPECT_TRUE(ended.valid_artifact) << ended.reason;
      if (gives_back(call)) continue;
      EXPECT_EQ(ended.leaked, 0_B) << ended.reason;
      EXPECT_EQ(free_on_cards(), free_before) << "left on the card: " << ended.reason;
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
  for (const char* call : {"ncclGetVersion", "ncclCommInitAll", "ncclGroupStart", "ncclAllReduce",
                           "ncclGroupEnd", "ncclCommGetAsyncError", "ncclCommDestroy"}) {
    EXPECT_EQ(made[call] > 0, several) << call;
  }
}

}  // namespace
}  // namespace headroom::test
