// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <sys/wait.h>
#include <unistd.h>

#include "api.hpp"

namespace {

TEST(EmulatedDevices, EachHasItsOwnMemory) {
  set_card("DEVICES", "2");
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  ASSERT_EQ(count, 2);
  void* at = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&at, 512_mib), cudaSuccess);
  EXPECT_EQ(free_memory(), 512_mib);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib);
  cudaPointerAttributes attributes{};
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, at), cudaSuccess);
  EXPECT_EQ(attributes.device, 1);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST(EmulatedDevices, HiddenOnesAreNotThere) {
  set_card("DEVICES", "4");
  setenv("CUDA_VISIBLE_DEVICES", "3, GPU-68656164-726f-6f6d-0000-000000000001,7,0", 1);
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 2) << "7 is none, and what is behind it does not count";
  char bus[32] = {};
  ASSERT_EQ(cudaDeviceGetPCIBusId(bus, sizeof bus, 0), cudaSuccess);
  EXPECT_STREQ(bus, "0000:04:00.0");
  ASSERT_EQ(cudaDeviceGetPCIBusId(bus, sizeof bus, 1), cudaSuccess);
  EXPECT_STREQ(bus, "0000:02:00.0");
  int device = -1;
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, bus), cudaSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "0000:01:00.0"), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
}

TEST(EmulatedDevices, AllHiddenIsNoDevice) {
  for (const char* text : {"", "-1", "4", "GPU-", "0,0"}) {
    EXPECT_EXIT(
        {
          set_card("DEVICES", "4");
          setenv("CUDA_VISIBLE_DEVICES", text, 1);
          int count = -1;
          const bool none = cudaGetDeviceCount(&count) == cudaErrorNoDevice && count == 0;
          void* at = nullptr;
          std::exit(none && cudaMalloc(&at, 4) == cudaErrorNoDevice ? 0 : 1);
        },
        testing::ExitedWithCode(0), "")
        << text;
  }
}

TEST(EmulatedDevices, PeersAreEnabledOnce) {
  set_card("DEVICES", "2");
  int can = 0;
  ASSERT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
}

TEST(EmulatedDevices, CopiesGoFromCardToCard) {
  set_card("DEVICES", "2");
  int value = 17;
  void* here = nullptr;
  void* there = nullptr;
  ASSERT_EQ(cudaMalloc(&here, 4), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(here, &value, 4, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&there, 4), cudaSuccess);
  ASSERT_EQ(cudaMemcpyPeer(there, 1, here, 0, 4), cudaSuccess);
  value = 0;
  ASSERT_EQ(cudaMemcpy(&value, there, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 17);
}

TEST(EmulatedDevices, AProfileSaysWhatACardIs) {
  set_card("CARD", "a100-40gb");
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "Emulated A100 40GB");
  EXPECT_EQ(properties.totalGlobalMem, 42'412'802'048u) << "declared: 39.50 GiB";
  EXPECT_EQ(properties.major, 8);
  EXPECT_EQ(properties.multiProcessorCount, 108);
  EXPECT_EQ(properties.sharedMemPerMultiprocessor, 164_kib);
  int value = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, 108);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 1),
            cudaErrorInvalidDevice);
}

TEST(EmulatedDevices, ResetGivesEverythingBack) {
  void* at = nullptr;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&at, 512_mib), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&at, 1_mib, stream), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(free_memory(), 1_gib);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
}

TEST(EmulatedDevices, AnotherProcessCannotOpenMemory) {
  void* at = nullptr;
  ASSERT_EQ(cudaMalloc(&at, 4_mib), cudaSuccess);
  cudaIpcMemHandle_t handle{};
  EXPECT_EQ(cudaIpcGetMemHandle(&handle, at), cudaErrorNotSupported);
}

int exit_code_of_child(cudaError_t expected) {
  const pid_t child = fork();
  if (child == 0) {
    void* at = nullptr;
    _exit(cudaMalloc(&at, 4_mib) == expected ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(EmulatedDevices, AProcessMayForkBeforeUse) {
  EXPECT_EQ(exit_code_of_child(cudaSuccess), 0);
  EXPECT_EQ(free_memory(), 1_gib);
}

TEST(EmulatedDevices, TheChildOfAProcessThatUsesTheCardCannot) {
  EXPECT_EQ(free_memory(), 1_gib);
  EXPECT_EQ(exit_code_of_child(cudaErrorInitializationError), 0);
}

}  // namespace
