// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <numeric>
#include <vector>

#include "api.hpp"

namespace {

std::vector<unsigned char> counted(std::size_t size) {
  std::vector<unsigned char> values(size);
  std::iota(values.begin(), values.end(), static_cast<unsigned char>(1));
  return values;
}

TEST(EmulatedCopies, SmallTakingsKeepTheirContents) {
  const auto values = counted(1000);
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 1000), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(at, values.data(), 1000, cudaMemcpyHostToDevice), cudaSuccess);
  std::vector<unsigned char> back(1000);
  ASSERT_EQ(cudaMemcpy(back.data(), at, 1000, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, values);
}

TEST(EmulatedCopies, LargeTakingsReadAsZeros) {
  const auto values = counted(4_mib);
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 4_mib), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(at, values.data(), 4_mib, cudaMemcpyHostToDevice), cudaSuccess);
  auto back = counted(4_mib);
  ASSERT_EQ(cudaMemcpy(back.data(), at, 4_mib, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, std::vector<unsigned char>(4_mib));
}

TEST(EmulatedCopies, WithAllContentsLargeTakingsAreKept) {
  set_card("CONTENTS", "all");
  const auto values = counted(4_mib);
  void* at = nullptr;
  void* other = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 4_mib), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&other, 4_mib), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(at, values.data(), 4_mib, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(other, at, 4_mib, cudaMemcpyDeviceToDevice), cudaSuccess);
  std::vector<unsigned char> back(4_mib);
  ASSERT_EQ(cudaMemcpy(back.data(), other, 4_mib, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(back, values);
}

TEST(EmulatedCopies, PageableMemoryIsReadBeforeTheCallReturns) {
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 4), cudaSuccess);
  int value = 7;
  ASSERT_EQ(cudaMemcpyAsync(at, &value, 4, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
  value = 8;
  int back = 0;
  ASSERT_EQ(cudaMemcpy(&back, at, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, 7);
}

TEST(EmulatedCopies, RowsAndPlanes) {
  const auto values = counted(64);  // 8 rows of 8
  void* at = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&at, &pitch, 8, 8), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(at, pitch, values.data(), 8, 8, 8, cudaMemcpyHostToDevice), cudaSuccess);
  std::vector<unsigned char> back(64);
  ASSERT_EQ(cudaMemcpy2D(back.data(), 8, at, pitch, 8, 8, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, values);
  EXPECT_EQ(cudaMemcpy2D(back.data(), 4, at, pitch, 8, 8, cudaMemcpyDeviceToHost),
            cudaErrorInvalidPitchValue);

  cudaMemcpy3DParms box{};
  box.srcPtr = {at, pitch, 8, 8};
  box.srcPos = {2, 3, 0};
  box.dstPtr = {back.data(), 8, 8, 8};
  box.extent = {4, 2, 1};
  box.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&box), cudaSuccess);
  EXPECT_EQ(back[0], values[3 * 8 + 2]);
  EXPECT_EQ(back[8 + 3], values[4 * 8 + 5]);
}

TEST(EmulatedCopies, FillsFill) {
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 16), cudaSuccess);
  ASSERT_EQ(cudaMemset(at, 0, 16), cudaSuccess);
  ASSERT_EQ(cudaMemset(static_cast<char*>(at) + 4, 0x5A, 8), cudaSuccess);
  std::vector<unsigned char> back(16);
  ASSERT_EQ(cudaMemcpy(back.data(), at, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, (std::vector<unsigned char>{0, 0, 0, 0, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A,
                                              0x5A, 0, 0, 0, 0}));
}

TEST(EmulatedCopies, WhatIsNotTakenIsRefused) {
  char* at = nullptr;
  char host[64] = {};
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&at), 64), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(at, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue) << "too long";
  EXPECT_EQ(cudaMemcpy(at, host, 64, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(at, host, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  int unknown = 9;
  EXPECT_EQ(cudaMemcpy(at, host, 64, static_cast<cudaMemcpyKind>(unknown)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemset(host, 0, 64), cudaErrorInvalidValue) << "not the device's";
  ASSERT_EQ(cudaFree(at), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(host, at, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidValue)
      << "given back";
}

}  // namespace
