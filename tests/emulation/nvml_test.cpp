// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <unistd.h>

#include "api.hpp"
#include "emulation/abi/nvml_calls.hpp"

namespace {

nvmlDevice_t device(unsigned index = 0) {
  nvmlDevice_t found = nullptr;
  EXPECT_EQ(nvmlDeviceGetHandleByIndex_v2(index, &found), NVML_SUCCESS);
  return found;
}

class EmulatedNvml : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS); }
};

TEST(EmulatedNvmlNotStarted, RefusesQuestionsAboutDevices) {
  unsigned count = 0;
  EXPECT_EQ(nvmlDeviceGetCount_v2(&count), NVML_ERROR_UNINITIALIZED);
  EXPECT_EQ(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
  ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS);
  ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS);
  ASSERT_EQ(nvmlShutdown(), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetCount_v2(&count), NVML_SUCCESS) << "starts are counted";
}

TEST(EmulatedNvmlOfTwo, NamesOfDevicesAreThoseOfTheRuntime) {
  set_card("DEVICES", "2");
  ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS);
  unsigned count = 0;
  ASSERT_EQ(nvmlDeviceGetCount_v2(&count), NVML_SUCCESS);
  EXPECT_EQ(count, 2u);
  cudaDeviceProp wanted;
  ASSERT_EQ(cudaGetDeviceProperties(&wanted, 1), cudaSuccess);
  char text[96];
  ASSERT_EQ(nvmlDeviceGetName(device(1), text, sizeof text), NVML_SUCCESS);
  EXPECT_STREQ(text, wanted.name);
  EXPECT_EQ(nvmlDeviceGetName(device(1), text, 4), NVML_ERROR_INSUFFICIENT_SIZE);
  ASSERT_EQ(nvmlDeviceGetUUID(device(1), text, sizeof text), NVML_SUCCESS);
  EXPECT_STREQ(text, "GPU-68656164-726f-6f6d-0000-000000000001");
  nvmlDevice_t found = nullptr;
  EXPECT_EQ(nvmlDeviceGetHandleByUUID(text, &found), NVML_SUCCESS);
  EXPECT_EQ(found, device(1));
  EXPECT_EQ(nvmlDeviceGetHandleByUUID("GPU-1", &found), NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(nvmlDeviceGetHandleByIndex_v2(2, &found), NVML_ERROR_INVALID_ARGUMENT);
  char bus[16];
  ASSERT_EQ(cudaDeviceGetPCIBusId(bus, sizeof bus, 1), cudaSuccess);
  for (const char* each : {static_cast<const char*>(bus), "00000000:02:00.0"}) {
    found = nullptr;
    EXPECT_EQ(nvmlDeviceGetHandleByPciBusId_v2(each, &found), NVML_SUCCESS) << each;
    EXPECT_EQ(found, device(1));
  }
}

TEST_F(EmulatedNvml, MemoryIsThatOfTheRuntime) {
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 6_mib), cudaSuccess);
  nvmlMemory_t memory{};
  ASSERT_EQ(nvmlDeviceGetMemoryInfo(device(), &memory), NVML_SUCCESS);
  EXPECT_EQ(memory.total, 1_gib);
  EXPECT_EQ(memory.used, 6_mib);
  EXPECT_EQ(memory.free, free_memory());
  nvmlMemory_v2_t later{};
  EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(device(), &later), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  later.version = nvmlMemory_v2;
  ASSERT_EQ(nvmlDeviceGetMemoryInfo_v2(device(), &later), NVML_SUCCESS);
  EXPECT_EQ(later.total, 1_gib);
  EXPECT_EQ(later.used, 6_mib);
  EXPECT_EQ(later.reserved, 0u);
}

TEST_F(EmulatedNvml, TheProcessIsListedOnceItHasAContext) {
  nvmlProcessInfo_t process{};
  unsigned count = 1;
  ASSERT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(device(), &count, &process), NVML_SUCCESS);
  EXPECT_EQ(count, 0u);
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 4_mib), cudaSuccess);
  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(device(), &count, nullptr),
            NVML_ERROR_INSUFFICIENT_SIZE);
  ASSERT_EQ(count, 1u);
  ASSERT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(device(), &count, &process), NVML_SUCCESS);
  EXPECT_EQ(process.pid, static_cast<unsigned>(getpid()));
  EXPECT_EQ(process.usedGpuMemory, 4_mib);
  nvmlProcessInfo_v1_t older[2] = {{}, {7, 7}};
  count = 2;
  ASSERT_EQ(nvmlDeviceGetComputeRunningProcesses(device(), &count, older), NVML_SUCCESS);
  EXPECT_EQ(older[0].usedGpuMemory, 4_mib);
  EXPECT_EQ(older[1].pid, 7u) << "an older structure is smaller";
}

TEST_F(EmulatedNvml, OtherProcessesThatAreNamedHaveTheirPart) {
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 4_mib), cudaSuccess);
  ASSERT_EQ(headroom_emulation_other_process(0, 77, 100_mib), cudaSuccess);
  ASSERT_EQ(headroom_emulation_other_process(0, 1, 20_mib), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib - 124_mib);
  nvmlProcessInfo_t found[3] = {};
  unsigned count = 3;
  ASSERT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(device(), &count, found), NVML_SUCCESS);
  EXPECT_EQ(count, 3u);
  std::uint64_t sum = 0;
  for (const nvmlProcessInfo_t& each : found) {
    sum += each.usedGpuMemory;
    const bool own = each.pid == static_cast<unsigned>(getpid());
    EXPECT_EQ(each.usedGpuMemory, own ? 4_mib : each.pid == 77 ? 100_mib : 20_mib);
  }
  EXPECT_EQ(sum, 124_mib);
  EXPECT_EQ(headroom_emulation_other_process(0, 77, 2_gib), cudaErrorMemoryAllocation);
  EXPECT_EQ(free_memory(), 1_gib - 124_mib) << "what was refused changes nothing";
  EXPECT_EQ(headroom_emulation_other_process(1, 77, 1_mib), cudaErrorInvalidDevice);
  EXPECT_EQ(headroom_emulation_other_process(0, 77, 0), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib - 24_mib);
}

TEST_F(EmulatedNvml, WhatNoEmulatedCardHasIsNotSupported) {
  unsigned now = 0;
  EXPECT_EQ(nvmlDeviceGetMigMode(device(), &now, &now), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlDeviceGetGpuFabricInfoV(device(), nullptr), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlDeviceGetMigMode(nullptr, &now, &now), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(EmulatedNvml, TheDriverIsThatOfTheRuntime) {
  int driver = 0;
  int seen = 0;
  ASSERT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  ASSERT_EQ(nvmlSystemGetCudaDriverVersion_v2(&seen), NVML_SUCCESS);
  EXPECT_EQ(seen, driver);
  char text[80];
  ASSERT_EQ(nvmlSystemGetDriverVersion(text, sizeof text), NVML_SUCCESS);
  EXPECT_NE(std::string(text).find("emulated"), std::string::npos);
}

}  // namespace
