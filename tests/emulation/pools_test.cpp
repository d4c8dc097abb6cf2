// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "api.hpp"

namespace {

class EmulatedPools : public testing::Test {
 protected:
  EmulatedPools() {
    EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool_, 0), cudaSuccess);
    for (cudaStream_t* each : {&first_, &second_}) {
      EXPECT_EQ(cudaStreamCreateWithFlags(each, cudaStreamNonBlocking), cudaSuccess);
    }
  }
  std::uint64_t read(cudaMemPoolAttr which) {
    std::uint64_t value = 0;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool_, which, &value), cudaSuccess);
    return value;
  }
  void write(cudaMemPoolAttr which, std::uint64_t value) {
    EXPECT_EQ(cudaMemPoolSetAttribute(pool_, which, &value), cudaSuccess);
  }
  void forbid(cudaMemPoolAttr which) {
    int no = 0;
    EXPECT_EQ(cudaMemPoolSetAttribute(pool_, which, &no), cudaSuccess);
  }
  static void* take(std::size_t size, cudaStream_t on) {
    void* at = nullptr;
    EXPECT_EQ(cudaMallocAsync(&at, size, on), cudaSuccess);
    return at;
  }
  cudaMemPool_t pool_ = nullptr;
  cudaStream_t first_ = nullptr;
  cudaStream_t second_ = nullptr;
};

TEST_F(EmulatedPools, UsedAndReservedAreKept) {
  void* at = take(1000, first_);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemCurrent), 1024u);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 32_mib);
  EXPECT_EQ(free_memory(), 1_gib - 32_mib);
  ASSERT_EQ(cudaFreeAsync(at, first_), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemHigh), 1024u);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 32_mib) << "until something synchronizes";
  ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 0u);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemHigh), 32_mib);
  EXPECT_EQ(free_memory(), 1_gib);
}

TEST_F(EmulatedPools, TheReleaseThresholdKeepsMemory) {
  write(cudaMemPoolAttrReleaseThreshold, 40_mib);
  void* small = take(1_mib, first_);
  void* large = take(64_mib, first_);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 96_mib);
  ASSERT_EQ(cudaFreeAsync(small, first_), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(large, first_), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 64_mib);
  ASSERT_EQ(cudaMemPoolTrimTo(pool_, 0), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 0u);
}

TEST_F(EmulatedPools, WhatAFreeHasNotReachedStaysReserved) {
  void* at = take(32_mib, first_);
  ASSERT_EQ(cudaFreeAsync(at, first_), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(second_), cudaSuccess);
  ASSERT_EQ(cudaMemPoolTrimTo(pool_, 0), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 32_mib);
  ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemCurrent), 0u);
}

TEST_F(EmulatedPools, HighMarksAreResetToZeroAlone) {
  void* at = take(1_mib, first_);
  void* given = take(1_mib, first_);
  ASSERT_EQ(cudaFreeAsync(given, first_), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemHigh), 2_mib);
  write(cudaMemPoolAttrUsedMemHigh, 0);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemHigh), 1_mib) << "what is live";
  write(cudaMemPoolAttrReservedMemHigh, 0);
  EXPECT_EQ(read(cudaMemPoolAttrReservedMemHigh), read(cudaMemPoolAttrReservedMemCurrent));
  void* more = take(512, first_);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemHigh), 1_mib + 512);
  std::uint64_t other = 5;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &other),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &other),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(at, first_), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(more, first_), cudaSuccess);
}

TEST_F(EmulatedPools, TheSameStreamReusesAtOnce) {
  void* at = take(1_mib, first_);
  ASSERT_EQ(cudaFreeAsync(at, first_), cudaSuccess);
  EXPECT_EQ(take(1_mib, first_), at);
}

TEST_F(EmulatedPools, AnotherStreamReusesOnceTheWorkIsDone) {
  void* at = take(1_mib, first_);
  ASSERT_EQ(cudaFreeAsync(at, first_), cudaSuccess);
  EXPECT_NE(take(1_mib, second_), at) << "the free has not happened yet";
  write(cudaMemPoolAttrReleaseThreshold, 1_gib);
  ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
  EXPECT_EQ(take(1_mib, second_), at);
}

TEST_F(EmulatedPools, AnotherStreamReusesBehindAnEvent) {
  forbid(cudaMemPoolReuseAllowOpportunistic);
  void* at = take(1_mib, first_);
  ASSERT_EQ(cudaFreeAsync(at, first_), cudaSuccess);
  cudaEvent_t behind = nullptr;
  ASSERT_EQ(cudaEventCreate(&behind), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(behind, first_), cudaSuccess);
  EXPECT_NE(take(1_mib, second_), at);
  ASSERT_EQ(cudaStreamWaitEvent(second_, behind, 0), cudaSuccess);
  EXPECT_EQ(take(1_mib, second_), at);
}

TEST_F(EmulatedPools, WithNoMoreMemoryAnotherStreamWaitsForTheFree) {
  void* at = take(1_gib, first_);
  ASSERT_EQ(cudaFreeAsync(at, first_), cudaSuccess);
  EXPECT_EQ(take(1_gib, second_), at);
  EXPECT_EQ(cudaFreeAsync(at, second_), cudaSuccess);
  forbid(cudaMemPoolReuseAllowInternalDependencies);
  void* none = nullptr;
  EXPECT_EQ(cudaMallocAsync(&none, 1_gib, first_), cudaErrorMemoryAllocation);
}

TEST_F(EmulatedPools, FreeWorksForAllMemory) {
  void* pooled = take(1_mib, first_);
  EXPECT_EQ(cudaFree(pooled), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemCurrent), 0u);
  void* plain = nullptr;
  ASSERT_EQ(cudaMalloc(&plain, 4_mib), cudaSuccess);
  const std::size_t before = free_memory();
  ASSERT_EQ(cudaFreeAsync(plain, first_), cudaSuccess);
  EXPECT_EQ(free_memory(), before) << "in stream order";
  ASSERT_EQ(cudaStreamSynchronize(first_), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib);
  EXPECT_EQ(cudaFreeAsync(plain, first_), cudaErrorInvalidValue);
}

TEST_F(EmulatedPools, APoolOfItsOwn) {
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location = {cudaMemLocationTypeDevice, 0};
  wanted.maxSize = 64_mib;
  cudaMemPool_t own = nullptr;
  ASSERT_EQ(cudaMemPoolCreate(&own, &wanted), cudaSuccess);
  void* at = nullptr;
  EXPECT_EQ(cudaMallocFromPoolAsync(&at, 65_mib, own, first_), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaMallocFromPoolAsync(&at, 1_mib, own, first_), cudaSuccess);
  EXPECT_EQ(read(cudaMemPoolAttrUsedMemCurrent), 0u) << "of the default pool";
  ASSERT_EQ(cudaMemPoolDestroy(own), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(own), cudaErrorInvalidValue);
  EXPECT_EQ(free_memory(), 1_gib - 32_mib) << "it ends with its last block";
  ASSERT_EQ(cudaFreeAsync(at, first_), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib);
  ASSERT_EQ(cudaMemPoolCreate(&own, &wanted), cudaSuccess);
  ASSERT_EQ(cudaMallocFromPoolAsync(&at, 1_mib, own, first_), cudaSuccess);
  ASSERT_EQ(cudaMemPoolDestroy(own), cudaSuccess);
  ASSERT_EQ(cudaFree(at), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib) << "however that is given back";
  EXPECT_EQ(cudaMemPoolDestroy(pool_), cudaErrorInvalidValue) << "the default pool";
}

}  // namespace
