// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <thread>

#include "api.hpp"

namespace {

TEST(EmulatedErrors, TheLastErrorIsTheThreadsAndReadOnce) {
  EXPECT_EQ(cudaSetDevice(5), cudaErrorInvalidDevice);
  std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaSuccess); }).join();
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidDevice), "cudaErrorInvalidDevice");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  int unknown = 12345;
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(unknown)), "unrecognized error code");
}

TEST(EmulatedErrors, WorkOnMemoryThatIsGoneIsStickyFromThenOn) {
  cudaStream_t using_it = nullptr;
  cudaStream_t freeing_it = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&using_it, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&freeing_it, cudaStreamNonBlocking), cudaSuccess);
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 1024), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(at, 0, 1024, using_it), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(at, freeing_it), cudaSuccess);  // and no event between the two
  ASSERT_EQ(cudaStreamSynchronize(freeing_it), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(using_it), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMalloc(&at, 1), cudaErrorIllegalAddress) << "whatever is called";
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&at, 1), cudaErrorIllegalAddress) << "it takes a new process";
}

TEST(EmulatedErrors, PlannedFaultsHappenOnceWhenTheyShould) {
  of_the_emulation_alone("calls do not fail as planned");
  headroom_emulation_fail_call("cudaMalloc", 2, cudaErrorMemoryAllocation);
  headroom_emulation_fail_call("cudaMemset", 1, cudaErrorUnknown);
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 4_mib), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&at, 4_mib), cudaErrorMemoryAllocation);
  EXPECT_EQ(free_memory(), 1_gib - 4_mib) << "it did nothing";
  EXPECT_EQ(cudaMalloc(&at, 4_mib), cudaSuccess);
  EXPECT_EQ(cudaMemset(at, 0, 4), cudaErrorUnknown);
  EXPECT_EQ(cudaMemset(at, 0, 4), cudaSuccess);
}

}  // namespace
