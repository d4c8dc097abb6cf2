// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cstring>
#include <vector>

#include "api.hpp"

namespace {

cudaPointerAttributes attributes_of(const void* at) {
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, at), cudaSuccess);
  return attributes;
}

TEST(EmulatedHostMemory, PinnedMemoryIsTheHostsAndNotCounted) {
  char* at = nullptr;
  ASSERT_EQ(cudaMallocHost(reinterpret_cast<void**>(&at), 4_mib), cudaSuccess);
  std::memset(at, 1, 4_mib);
  EXPECT_EQ(free_memory(), 1_gib);
  EXPECT_EQ(attributes_of(at + 100).type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes_of(at + 100).devicePointer, at + 100);
  void* same = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&same, at, 0), cudaSuccess);
  EXPECT_EQ(same, at);
  EXPECT_EQ(cudaFreeHost(at), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(at), cudaErrorInvalidValue);
}

TEST(EmulatedHostMemory, ACopyFromPinnedMemoryReadsItInItsTurn) {
  int* pinned = nullptr;
  void* at = nullptr;
  ASSERT_EQ(cudaHostAlloc(reinterpret_cast<void**>(&pinned), 4, cudaHostAllocDefault), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&at, 4), cudaSuccess);
  *pinned = 1;
  ASSERT_EQ(cudaMemcpyAsync(at, pinned, 4, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
  *pinned = 2;  // a program that does this without waiting is wrong, and sees it
  int back = 0;
  ASSERT_EQ(cudaMemcpy(&back, at, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, 2);
  *pinned = 0;
  ASSERT_EQ(cudaMemcpyAsync(pinned, at, 4, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_EQ(*pinned, 0) << "not done before something waits";
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(*pinned, 2);
}

TEST(EmulatedHostMemory, RegisteredRangesDoNotOverlap) {
  std::vector<char> memory(8192);
  ASSERT_EQ(cudaHostRegister(memory.data(), 4096, cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(attributes_of(memory.data()).type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes_of(memory.data() + 4096).type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaHostRegister(memory.data() + 4095, 2, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostUnregister(memory.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(memory.data()), cudaErrorHostMemoryNotRegistered);
}

TEST(EmulatedHostMemory, ManagedMemoryIsOnBothSides) {
  int* at = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&at), 8_mib, cudaMemAttachGlobal),
            cudaSuccess);
  at[1000] = 5;
  EXPECT_EQ(free_memory(), 1_gib);
  EXPECT_EQ(attributes_of(at).type, cudaMemoryTypeManaged);
  ASSERT_EQ(cudaMemset(at, 0, 8_mib), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(at[1000], 0);
  EXPECT_EQ(cudaFree(at), cudaSuccess);
  void* none = nullptr;
  EXPECT_EQ(cudaMallocManaged(&none, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
}

TEST(EmulatedHostMemory, PointersAreKnownByTheirBlock) {
  char* at = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&at), 4_mib), cudaSuccess);
  EXPECT_EQ(attributes_of(at + 4_mib - 1).type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes_of(at + 4_mib - 1).device, 0);
  EXPECT_EQ(attributes_of(at + 4_mib).type, cudaMemoryTypeUnregistered);
  int local = 0;
  EXPECT_EQ(attributes_of(&local).type, cudaMemoryTypeUnregistered);
}

}  // namespace
