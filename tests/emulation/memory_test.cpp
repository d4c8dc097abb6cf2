// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <fstream>
#include <set>
#include <vector>

#include "api.hpp"

namespace {

TEST(EmulatedMemory, DeclaresItsCapacityAndNothingIsTakenAtFirst) {
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(total, 1_gib);
  EXPECT_EQ(free, 1_gib);
}

TEST(EmulatedMemory, LargeRequestsAreRoundedUpToTwoMebibytes) {
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 2_mib + 1), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib - 4_mib);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % 512, 0u);
  ASSERT_EQ(cudaFree(at), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib);
}

TEST(EmulatedMemory, SmallRequestsShareTwoMebibytes) {
  std::vector<void*> taken(4096);
  std::set<void*> different;
  for (void*& at : taken) {
    ASSERT_EQ(cudaMalloc(&at, 1), cudaSuccess);
    different.insert(at);
  }
  EXPECT_EQ(different.size(), taken.size());
  EXPECT_EQ(free_memory(), 1_gib - 2_mib) << "4096 requests of 512 B fill 2 MiB";
  void* one_more = nullptr;
  ASSERT_EQ(cudaMalloc(&one_more, 1), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib - 4_mib);
  for (void* at : taken) EXPECT_EQ(cudaFree(at), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib - 2_mib);
  EXPECT_EQ(cudaFree(one_more), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib);
}

TEST(EmulatedMemory, OneByteMoreThanThereIsFails) {
  void* whole = nullptr;
  ASSERT_EQ(cudaMalloc(&whole, 1_gib), cudaSuccess);
  void* more = reinterpret_cast<void*>(1);
  EXPECT_EQ(cudaMalloc(&more, 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(more, reinterpret_cast<void*>(1)) << "the pointer is left alone";
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "not sticky";
  EXPECT_EQ(cudaFree(whole), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&more, 1_gib + 1), cudaErrorMemoryAllocation);
}

TEST(EmulatedMemory, NoBytesAreANullPointer) {
  void* at = reinterpret_cast<void*>(1);
  EXPECT_EQ(cudaMalloc(&at, 0), cudaSuccess);
  EXPECT_EQ(at, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST(EmulatedMemory, FreeingTwiceOrElsewhereIsAnError) {
  char* at = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&at), 4_mib), cudaSuccess);
  EXPECT_EQ(cudaFree(at + 512), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(at), cudaSuccess);
  EXPECT_EQ(cudaFree(at), cudaErrorInvalidValue);
  int on_host = 0;
  EXPECT_EQ(cudaFree(&on_host), cudaErrorInvalidValue);
}

TEST(EmulatedMemory, PitchedRowsBeginAtMultiplesOfThePitch) {
  void* at = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&at, &pitch, 1000, 4096), cudaSuccess);
  EXPECT_EQ(pitch, 1024u);
  EXPECT_EQ(free_memory(), 1_gib - 4_mib);
  cudaPitchedPtr box{};
  ASSERT_EQ(cudaMalloc3D(&box, {1000, 64, 64}), cudaSuccess);
  EXPECT_EQ(box.pitch, 1024u);
  EXPECT_EQ(box.xsize, 1000u);
  EXPECT_EQ(box.ysize, 64u);
}

TEST(EmulatedMemory, AContextTakesItsAllowanceAtFirstUse) {
  set_card("CONTEXT", "300 MiB");
  EXPECT_EQ(free_memory(), 1_gib - 300_mib);
}

/// Bytes of the host's memory that this process holds.
std::size_t host_memory() {
  std::ifstream statistics("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  statistics >> all >> resident;
  return resident * 4096;
}

TEST(EmulatedMemory, AWholeLargeCardTakesLittleHostMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer holds host memory of its own";
#endif
  set_card("CARD", "h200");
  std::size_t free = free_memory();
  EXPECT_EQ(free, 141'000'000'000u);
  void* at = nullptr;
  while (free >= 2_gib) {
    ASSERT_EQ(cudaMalloc(&at, 2_gib), cudaSuccess);
    ASSERT_EQ(cudaMemset(at, 1, 2_gib), cudaSuccess);
    free -= 2_gib;
  }
  while (free >= 2_mib) {  // these keep their contents, and take room when they are touched
    ASSERT_EQ(cudaMalloc(&at, 2_mib), cudaSuccess);
    free -= 2_mib;
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_LT(free_memory(), 2_mib);
  const std::size_t held = host_memory();
  EXPECT_GT(held, 0u);
  EXPECT_LT(held, 50'000'000u);
}

TEST(EmulatedMemory, TheCardCannotBeTakenForARealOne) {
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(std::string(properties.name).substr(0, 8), "Emulated");
  EXPECT_EQ(properties.totalGlobalMem, 1_gib);
  EXPECT_EQ(properties.major, 9);
}

}  // namespace
