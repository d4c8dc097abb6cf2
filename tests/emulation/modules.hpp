// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// The driver's interface about modules, as the Toolkit declares it or as the emulation does, and
// modules for the tests.
#ifdef HEADROOM_TEST_WITH_TOOLKIT
#include <cuda.h>
#else
#include "emulation/abi/driver_calls.hpp"
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#endif

#include <fstream>
#include <iterator>

#include "api.hpp"

/// Two kernels and two variables, as a text that every card from 7.5 on compiles.
inline const std::string portable_code = R"(// a comment before it
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 counter;
.visible .global .align 8 .b8 table[24]; /* .visible .entry hidden() {} */
.visible .func helper() { ret; }
.visible .entry plain(.param .u64 plain_param_0)
{
  ret;
}
.visible .entry bounded()
.maxntid 256, 1, 1
{
  .shared .align 4 .b8 kept[2048];
  { .reg .b32 %r<2>; mov.u32 %r1, kept; st.shared.u32 [%r1], %r1; }
  ret;
}
)";

/// A file of tests/emulation/modules. Ends the test where the checkout is not at its place.
inline std::string module_file(const std::string& name) {
  return HEADROOM_SOURCE_DIR "/tests/emulation/modules/" + name;
}
inline std::string module_named(const std::string& name) {
  std::ifstream in(module_file(name), std::ios::binary);
  if (!in) not_asked(module_file(name) + " is not there");
  return {std::istreambuf_iterator<char>(in), {}};
}
/// For modules of one architecture: a real card may have another.
inline void needs_capability(int major, int minor) {
  if (over_emulation()) {
    set_card("CAPABILITY", std::to_string(major) + "." + std::to_string(minor));
    return;
  }
  int found[2] = {};
  cudaDeviceGetAttribute(&found[0], cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&found[1], cudaDevAttrComputeCapabilityMinor, 0);
  if (found[0] != major || found[1] != minor) not_asked("the card has another architecture");
}

class EmulatedModules : public testing::Test {
 protected:
  static void begin() { ASSERT_EQ(cudaFree(nullptr), cudaSuccess); }  // makes the context
  static CUmodule load(const std::string& image) {
    begin();
    CUmodule made = nullptr;
    EXPECT_EQ(cuModuleLoadData(&made, image.c_str()), CUDA_SUCCESS);
    return made;
  }
  static CUfunction function(CUmodule of, const char* name) {
    CUfunction found = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&found, of, name), CUDA_SUCCESS) << name;
    return found;
  }
  static int attribute(CUfunction of, CUfunction_attribute which) {
    int value = -1;
    EXPECT_EQ(cuFuncGetAttribute(&value, which, of), CUDA_SUCCESS) << which;
    return value;
  }
  static CUresult launch(CUfunction of, unsigned blocks, unsigned threads, unsigned shared = 0,
                         CUstream on = nullptr) {
    CUdeviceptr none = 0;
    int value = 0;
    void* arguments[] = {&none, &value};
    return cuLaunchKernel(of, blocks, 1, 1, threads, 1, 1, shared, on, arguments, nullptr);
  }
};
