// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "modules.hpp"

namespace {

TEST_F(EmulatedModules, KernelsAreFoundByName) {
  const CUmodule module = load(portable_code);
  CUfunction found = function(module, "plain");
  EXPECT_NE(found, function(module, "bounded"));
  for (const char* name : {"plai", "hidden", "helper", "counter", ""}) {
    EXPECT_EQ(cuModuleGetFunction(&found, module, name), CUDA_ERROR_NOT_FOUND) << name;
  }
  unsigned count = 0;
  ASSERT_EQ(cuModuleGetFunctionCount(&count, module), CUDA_SUCCESS);
  EXPECT_EQ(count, 2u);
  CUfunction all[2] = {};
  ASSERT_EQ(cuModuleEnumerateFunctions(all, 2, module), CUDA_SUCCESS);
  for (const CUfunction each : all) {
    const char* name = nullptr;
    CUmodule of = nullptr;
    ASSERT_EQ(cuFuncGetName(&name, each), CUDA_SUCCESS);
    ASSERT_EQ(cuFuncGetModule(&of, each), CUDA_SUCCESS);
    EXPECT_EQ(of, module);
    EXPECT_EQ(each, function(module, name));
  }
}

TEST_F(EmulatedModules, WhatIsNoModuleIsAnInvalidImage) {
  begin();
  CUmodule made = nullptr;
  EXPECT_EQ(cuModuleLoadData(&made, "no module at all"), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(cuModuleLoadData(&made, ".target sm_75\n.version 7.0\n"), CUDA_ERROR_INVALID_IMAGE);
  const std::string program(
      "\x7f"
      "ELF\x02\x01\x01",
      7);  // of no card's machine
  EXPECT_EQ(cuModuleLoadData(&made, (program + std::string(200, '\0')).c_str()),
            CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(cuModuleLoad(&made, "/no/such/file"), CUDA_ERROR_FILE_NOT_FOUND);
}

TEST_F(EmulatedModules, PortableCodeIsForTheCardAndTheDriver) {
  begin();
  CUmodule made = nullptr;
  const std::string newer_card = ".version 8.8\n.target sm_121\n.address_size 64\n";
  const std::string newer_driver = ".version 19.0\n.target sm_75\n.address_size 64\n";
  EXPECT_EQ(cuModuleLoadData(&made, newer_card.c_str()), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(cuModuleLoadData(&made, newer_driver.c_str()), CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
}

TEST_F(EmulatedModules, AttributesOfPortableCode) {
  const CUmodule module = load(portable_code);
  const CUfunction bounded = function(module, "bounded");
  EXPECT_EQ(attribute(bounded, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 256);
  EXPECT_EQ(attribute(bounded, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 2048);
  EXPECT_EQ(attribute(bounded, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), 0);
  EXPECT_EQ(attribute(bounded, CU_FUNC_ATTRIBUTE_PTX_VERSION), 75);
  EXPECT_EQ(attribute(function(module, "plain"), CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
  int value = 0;
  int unknown = 99;
  EXPECT_EQ(cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(unknown), bounded),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(EmulatedModules, ALaunchThatTheKernelDoesNotTakeIsRefused) {
  const CUmodule module = load(portable_code);
  const CUfunction plain = function(module, "plain");
  EXPECT_EQ(launch(plain, 1, 1024), CUDA_SUCCESS);
  EXPECT_EQ(launch(plain, 0, 32), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(plain, 1, 1025), CUDA_ERROR_INVALID_VALUE);
  const CUfunction bounded = function(module, "bounded");
  EXPECT_EQ(launch(bounded, 1, 256), CUDA_SUCCESS);
  EXPECT_NE(launch(bounded, 1, 288), CUDA_SUCCESS) << "its bound is 256";
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  expect_calls("cuLaunchKernel", 5);
  if (over_emulation()) {
    EXPECT_EQ(headroom_emulation_launches_left_out(), 2u);
  }
}

TEST_F(EmulatedModules, SharedMemoryIsTheStaticAndTheDynamicPart) {
  const CUmodule module = load(portable_code);
  const CUfunction bounded = function(module, "bounded");
  int most = 0;
  ASSERT_EQ(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(launch(bounded, 1, 32, 46 * 1024), CUDA_SUCCESS);
  EXPECT_EQ(launch(bounded, 1, 32, 46 * 1024 + 4), CUDA_ERROR_INVALID_VALUE);
  constexpr auto dynamic = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  EXPECT_EQ(attribute(bounded, dynamic), 46 * 1024);
  EXPECT_EQ(cuFuncSetAttribute(bounded, dynamic, most - 2048 + 4), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuFuncSetAttribute(bounded, dynamic, most - 2048), CUDA_SUCCESS);
  EXPECT_EQ(attribute(bounded, dynamic), most - 2048);
  EXPECT_EQ(launch(bounded, 1, 32, static_cast<unsigned>(most) - 2048), CUDA_SUCCESS);
  EXPECT_EQ(launch(bounded, 1, 32, static_cast<unsigned>(most) - 2044), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetCacheConfig(bounded, CU_FUNC_CACHE_PREFER_SHARED), CUDA_SUCCESS);
  EXPECT_EQ(cuFuncSetAttribute(bounded, CU_FUNC_ATTRIBUTE_NUM_REGS, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
}

TEST_F(EmulatedModules, BlocksThatAProcessorHoldsAtOnce) {
  const CUfunction bounded = function(load(portable_code), "bounded");
  int blocks = 0;
  ASSERT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0), CUDA_SUCCESS);
  int threads = 0;
  ASSERT_EQ(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(blocks, threads / 256);
  ASSERT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 40 * 1024),
            CUDA_SUCCESS);
  int shared = 0;
  ASSERT_EQ(
      cuDeviceGetAttribute(&shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 0),
      CUDA_SUCCESS);
  EXPECT_EQ(blocks, shared / (43 * 1024)) << "2 KiB are static, and 1 KiB is the system's";
}

TEST_F(EmulatedModules, VariablesHaveSizesAndContents) {
  const CUmodule module = load(portable_code);
  const std::size_t free = free_memory();
  CUdeviceptr at = 0;
  std::size_t size = 0;
  ASSERT_EQ(cuModuleGetGlobal(&at, &size, module, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(size, 4u);
  int value = -1;
  ASSERT_EQ(cuMemcpyDtoH(&value, at, sizeof value), CUDA_SUCCESS);
  EXPECT_EQ(value, 0);
  value = 7;
  ASSERT_EQ(cuMemcpyHtoD(at, &value, sizeof value), CUDA_SUCCESS);
  value = 0;
  CUdeviceptr again = 0;
  ASSERT_EQ(cuModuleGetGlobal(&again, nullptr, module, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(again, at);
  ASSERT_EQ(cuMemcpyDtoH(&value, again, sizeof value), CUDA_SUCCESS);
  EXPECT_EQ(value, 7);
  ASSERT_EQ(cuModuleGetGlobal(nullptr, &size, module, "table"), CUDA_SUCCESS);
  EXPECT_EQ(size, 24u);
  EXPECT_EQ(cuModuleGetGlobal(&at, &size, module, "plain"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(free_memory(), free) << "part of what a context takes";
}

TEST_F(EmulatedModules, AnUnloadedModuleIsGone) {
  of_the_emulation_alone("a handle that is gone may be anything to a driver");
  const CUmodule module = load(portable_code);
  CUfunction plain = function(module, "plain");
  CUdeviceptr at = 0;
  ASSERT_EQ(cuModuleGetGlobal(&at, nullptr, module, "counter"), CUDA_SUCCESS);
  ASSERT_EQ(launch(plain, 1, 32), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(launch(plain, 1, 32), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuModuleGetFunction(&plain, module, "plain"), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  int value = 0;
  EXPECT_NE(cuMemcpyDtoH(&value, at, sizeof value), CUDA_SUCCESS);
  EXPECT_EQ(headroom_emulation_launches_left_out(), 1u) << "what was launched stays counted";
}

TEST_F(EmulatedModules, AResetEndsTheModulesOfTheDevice) {
  of_the_emulation_alone("a handle that is gone may be anything to a driver");
  const CUmodule module = load(portable_code);
  ASSERT_EQ(cuDevicePrimaryCtxReset(0), CUDA_SUCCESS);
  begin();
  CUfunction plain = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&plain, module, "plain"), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(EmulatedModules, LaunchesAreCapturedInAGraph) {
  const CUfunction plain = function(load(portable_code), "plain");
  cudaStream_t on = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&on, cudaStreamNonBlocking), cudaSuccess);
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  ASSERT_EQ(cuStreamIsCapturing(on, &status), CUDA_SUCCESS);
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
  ASSERT_EQ(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cuStreamIsCapturing(on, &status), CUDA_SUCCESS);
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_EQ(launch(plain, 4, 64, 0, on), CUDA_SUCCESS);
  EXPECT_EQ(launch(plain, 4, 64, 0, on), CUDA_SUCCESS);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(on, &graph), cudaSuccess);
  std::size_t nodes = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 2u);
  CUcontext of = nullptr;
  CUcontext current = nullptr;
  ASSERT_EQ(cuStreamGetCtx(on, &of), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxGetCurrent(&current), CUDA_SUCCESS);
  EXPECT_EQ(of, current);
}

TEST_F(EmulatedModules, TimeBetweenEventsIsNeverNothing) {
  const CUfunction plain = function(load(portable_code), "plain");
  CUevent first = nullptr;
  CUevent last = nullptr;
  ASSERT_EQ(cuEventCreate(&first, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&last, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(first, nullptr), CUDA_SUCCESS);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(launch(plain, 1, 32), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(last, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuEventSynchronize(last), CUDA_SUCCESS);
  float milliseconds = 0;
  ASSERT_EQ(cuEventElapsedTime(&milliseconds, first, last), CUDA_SUCCESS);
  EXPECT_GT(milliseconds, 0);
  float to_the_runtime = 0;
  ASSERT_EQ(cudaEventElapsedTime(&to_the_runtime, first, last), cudaSuccess);
  EXPECT_EQ(to_the_runtime, milliseconds);
  if (over_emulation()) {
    EXPECT_FLOAT_EQ(milliseconds, 10.1F) << "100 kernels and the event";
  }
}

}  // namespace
