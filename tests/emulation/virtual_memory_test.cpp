// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#ifdef HEADROOM_TEST_WITH_TOOLKIT
#include <cuda.h>
#else
#include "emulation/abi/driver_calls.hpp"
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemsetD32 cuMemsetD32_v2
#endif

#include "api.hpp"

namespace {

class EmulatedVirtualMemory : public testing::Test {
 protected:
  EmulatedVirtualMemory() { EXPECT_EQ(cudaFree(nullptr), cudaSuccess); }  // makes the context
  static CUmemAllocationProp on_device() {
    CUmemAllocationProp wanted{};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.location.id = 0;
    return wanted;
  }
  static CUdeviceptr range(std::size_t size) {
    CUdeviceptr at = 0;
    EXPECT_EQ(cuMemAddressReserve(&at, size, 0, 0, 0), CUDA_SUCCESS);
    return at;
  }
  static CUmemGenericAllocationHandle memory(std::size_t size) {
    CUmemGenericAllocationHandle handle = 0;
    const CUmemAllocationProp wanted = on_device();
    EXPECT_EQ(cuMemCreate(&handle, size, &wanted, 0), CUDA_SUCCESS);
    return handle;
  }
  static CUresult allow(CUdeviceptr at, std::size_t size) {
    CUmemAccessDesc access{};
    access.location = on_device().location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return cuMemSetAccess(at, size, &access, 1);
  }
};

TEST_F(EmulatedVirtualMemory, AddressesAreFreeAndMemoryIsCounted) {
  std::size_t unit = 0;
  const CUmemAllocationProp wanted = on_device();
  ASSERT_EQ(cuMemGetAllocationGranularity(&unit, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            CUDA_SUCCESS);
  EXPECT_EQ(unit, 2_mib);
  const CUdeviceptr at = range(64_gib);
  EXPECT_EQ(free_memory(), 1_gib);
  const CUmemGenericAllocationHandle handle = memory(20_mib);
  EXPECT_EQ(free_memory(), 1_gib - 20_mib);
  ASSERT_EQ(cuMemMap(at, 20_mib, 0, handle, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(free_memory(), 1_gib - 20_mib) << "mapped memory stays";
  EXPECT_EQ(cuMemAddressFree(at, 64_gib), CUDA_ERROR_INVALID_VALUE) << "still mapped";
  ASSERT_EQ(cuMemUnmap(at, 20_mib), CUDA_SUCCESS);
  EXPECT_EQ(free_memory(), 1_gib);
  EXPECT_EQ(cuMemAddressFree(at, 64_gib), CUDA_SUCCESS);
}

TEST_F(EmulatedVirtualMemory, MemoryNeedsAccess) {
  const CUdeviceptr at = range(4_mib);
  ASSERT_EQ(cuMemMap(at, 2_mib, 0, memory(2_mib), 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD32(at, 7, 4), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(allow(at, 2_mib), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32(at, 7, 4), CUDA_SUCCESS);
  int back[4] = {};
  ASSERT_EQ(cuMemcpyDtoH(back, at, sizeof back), CUDA_SUCCESS);
  EXPECT_EQ(back[3], 7);
  unsigned long long flags = 0;
  const CUmemLocation here = on_device().location;
  ASSERT_EQ(cuMemGetAccess(&flags, &here, at), CUDA_SUCCESS);
  EXPECT_EQ(flags, 3u);
  EXPECT_EQ(allow(at, 4_mib), CUDA_ERROR_INVALID_VALUE) << "not all of it is mapped";
}

TEST_F(EmulatedVirtualMemory, PiecesMakeUpARange) {
  const CUdeviceptr at = range(4_mib);
  ASSERT_EQ(cuMemMap(at, 2_mib, 0, memory(2_mib), 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemMap(at + 2_mib, 2_mib, 0, memory(2_mib), 0), CUDA_SUCCESS);
  ASSERT_EQ(allow(at, 4_mib), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32(at, 9, 1_mib), CUDA_SUCCESS) << "4 MiB over both";
  int back[2] = {};
  ASSERT_EQ(cuMemcpyDtoH(back, at + 2_mib - 4, sizeof back), CUDA_SUCCESS);
  EXPECT_EQ(back[0], 9);
  EXPECT_EQ(back[1], 9);
  EXPECT_EQ(cuMemsetD32(at, 9, 1_mib + 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(at, 1_mib), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemUnmap(at, 4_mib), CUDA_SUCCESS);
}

TEST_F(EmulatedVirtualMemory, OneMemoryBehindTwoRangesShowsTheSame) {
  const CUmemGenericAllocationHandle handle = memory(2_mib);
  const CUdeviceptr one = range(2_mib);
  const CUdeviceptr two = range(2_mib);
  ASSERT_EQ(cuMemMap(one, 2_mib, 0, handle, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemMap(two, 2_mib, 0, handle, 0), CUDA_SUCCESS);
  ASSERT_EQ(allow(one, 2_mib), CUDA_SUCCESS);
  ASSERT_EQ(allow(two, 2_mib), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32(one, 5, 1), CUDA_SUCCESS);
  int back = 0;
  ASSERT_EQ(cuMemcpyDtoH(&back, two, 4), CUDA_SUCCESS);
  EXPECT_EQ(back, 5);
  EXPECT_EQ(free_memory(), 1_gib - 2_mib);
}

TEST_F(EmulatedVirtualMemory, WhatIsNotWholeIsRefused) {
  CUdeviceptr at = 0;
  EXPECT_EQ(cuMemAddressReserve(&at, 1_mib, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CUmemGenericAllocationHandle handle = 0;
  CUmemAllocationProp wanted = on_device();
  EXPECT_EQ(cuMemCreate(&handle, 1_mib, &wanted, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemCreate(&handle, 2_gib, &wanted, 0), CUDA_ERROR_OUT_OF_MEMORY);
  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
  EXPECT_EQ(cuMemCreate(&handle, 2_mib, &wanted, 0), CUDA_ERROR_NOT_SUPPORTED);
  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  ASSERT_EQ(cuMemCreate(&handle, 2_mib, &wanted, 0), CUDA_SUCCESS);
  int file = 0;
  EXPECT_EQ(
      cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
      CUDA_ERROR_NOT_SUPPORTED);
  at = range(2_mib);
  handle = memory(4_mib);
  EXPECT_EQ(cuMemMap(at, 4_mib, 0, handle, 0), CUDA_ERROR_INVALID_VALUE) << "longer than the range";
  EXPECT_EQ(cuMemMap(at, 2_mib, 0, handle, 0), CUDA_ERROR_INVALID_VALUE) << "a part of the memory";
}

TEST_F(EmulatedVirtualMemory, RuntimeAndDriverShareTheCard) {
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 4_mib), cudaSuccess);
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(cuMemGetInfo(&free, &total), CUDA_SUCCESS);
  EXPECT_EQ(free, 1_gib - 4_mib);
  EXPECT_EQ(total, 1_gib);
  int active = 0;
  unsigned flags = 0;
  ASSERT_EQ(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(active, 1);
}

TEST(EmulatedDriver, HasNoContextBeforeOneIsMade) {
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(cuMemGetInfo(&free, &total), CUDA_ERROR_INVALID_CONTEXT);
  CUcontext context = nullptr;
  ASSERT_EQ(cuCtxGetCurrent(&context), CUDA_SUCCESS);
  EXPECT_EQ(context, nullptr);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
  EXPECT_EQ(cuMemGetInfo(&free, &total), CUDA_SUCCESS);
  EXPECT_EQ(total, 1_gib);
}

TEST(EmulatedDriver, IsFoundByName) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  ASSERT_EQ(cudaGetDriverEntryPointByVersion("cuMemGetInfo", &found, 12000, 0, &status),
            cudaSuccess);
  ASSERT_EQ(status, cudaDriverEntryPointSuccess);
  EXPECT_EQ(found, reinterpret_cast<void*>(&cuMemGetInfo));
  ASSERT_EQ(cudaGetDriverEntryPointByVersion("cuNoSuchCall", &found, 12000, 0, &status),
            cudaSuccess);
  EXPECT_EQ(status, cudaDriverEntryPointSymbolNotFound);
  EXPECT_EQ(found, nullptr);
}

}  // namespace
