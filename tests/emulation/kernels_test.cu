// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Kernels as the compiler registers and launches them. Built for 9.0 alone, machine code only.
#include "api.hpp"

namespace {

__device__ int counter = 5;
__constant__ int table[4];

__global__ void add(int* to, int value) { to[threadIdx.x] += value; }

TEST(EmulatedKernels, AreLeftOutAndCounted) {
  of_the_emulation_alone("kernels are not left out");
  int* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 128), cudaSuccess);
  add<<<1, 32>>>(at, 1);
  add<<<1, 32>>>(at, 1);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(
      headroom_emulation_calls("__cudaLaunchKernel") + headroom_emulation_calls("cudaLaunchKernel"),
      2);
}

TEST(EmulatedKernels, AWrongShapeIsTheLaunchsError) {
  add<<<1, 2048>>>(nullptr, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
}

TEST(EmulatedKernels, NeedCodeForTheCard) {
  set_card("CAPABILITY", "8.0");
  add<<<1, 32>>>(nullptr, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNoKernelImageForDevice);
}

TEST(EmulatedKernels, HaveAttributesAndOccupancy) {
  cudaFuncAttributes attributes{};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, add), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(attributes.binaryVersion, 90);
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 1024, 0), cudaSuccess);
  EXPECT_EQ(blocks, 2) << "2048 threads on a processor";
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, 100 * 1024),
            cudaSuccess);
  EXPECT_EQ(blocks, 2) << "228 KiB of shared memory, 1 KiB of it kept for each block";
  EXPECT_EQ(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024),
            cudaSuccess);
  add<<<1, 32, 200 * 1024>>>(nullptr, 1);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(EmulatedKernels, VariablesHaveAddressesAndContents) {
  void* at = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(cudaGetSymbolAddress(&at, counter), cudaSuccess);
  ASSERT_EQ(cudaGetSymbolSize(&size, table), cudaSuccess);
  EXPECT_EQ(size, 16u);
  const int values[] = {1, 2, 3, 4};
  int back[4] = {};
  ASSERT_EQ(cudaMemcpyToSymbol(table, values, 16), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromSymbol(back, table, 8, 8), cudaSuccess);
  EXPECT_EQ(back[0], 3);
  EXPECT_EQ(cudaMemcpyToSymbol(table, values, 16, 1), cudaErrorInvalidValue) << "beyond its end";
  EXPECT_EQ(free_memory(), 1_gib) << "part of what a context takes";
}

}  // namespace
