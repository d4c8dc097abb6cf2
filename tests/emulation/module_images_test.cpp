// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Modules as compilers make them (tests/emulation/modules), and libraries.
#include <cstdio>

#include "modules.hpp"

namespace {

class EmulatedModuleImages : public EmulatedModules {
 protected:
  /// What the compilers say of the kernels themselves.
  static void expect_as_compiled(CUmodule module) {
    const CUfunction add = function(module, "add");
    EXPECT_EQ(attribute(add, CU_FUNC_ATTRIBUTE_NUM_REGS), 12);
    EXPECT_EQ(attribute(add, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 0);
    EXPECT_EQ(attribute(add, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), 0);
    EXPECT_EQ(attribute(add, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
    const CUfunction shuffle = function(module, "shuffle");
    EXPECT_EQ(attribute(shuffle, CU_FUNC_ATTRIBUTE_NUM_REGS), 14);
    EXPECT_EQ(attribute(shuffle, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 2048);
    EXPECT_EQ(attribute(shuffle, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), 256);
    EXPECT_EQ(attribute(shuffle, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 256);
    CUfunction none = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&none, module, "large"), CUDA_ERROR_NOT_FOUND);
    unsigned count = 0;
    ASSERT_EQ(cuModuleGetFunctionCount(&count, module), CUDA_SUCCESS);
    EXPECT_EQ(count, 2u);
  }
  static int variable(CUmodule module, const char* name, std::size_t size) {
    CUdeviceptr at = 0;
    std::size_t whole = 0;
    EXPECT_EQ(cuModuleGetGlobal(&at, &whole, module, name), CUDA_SUCCESS) << name;
    EXPECT_EQ(whole, size);
    int first = -1;
    EXPECT_EQ(cuMemcpyDtoH(&first, at, sizeof first), CUDA_SUCCESS);
    return first;
  }
};

TEST_F(EmulatedModuleImages, MachineCodeOfCuda130) {
  needs_capability(9, 0);
  const CUmodule module = load(module_named("kernels.sm_90.cuda-13.0.cubin"));
  expect_as_compiled(module);
  EXPECT_EQ(attribute(function(module, "add"), CU_FUNC_ATTRIBUTE_BINARY_VERSION), 90);
  EXPECT_EQ(variable(module, "counter", 4), 5) << "its first contents";
  EXPECT_EQ(variable(module, "large", 4000), 0);
  EXPECT_EQ(variable(module, "table", 16), 0);
}

TEST_F(EmulatedModuleImages, MachineCodeOfCuda129) {
  needs_capability(9, 0);
  const CUmodule module = load(module_named("kernels.sm_90a.cuda-12.9.cubin"));
  expect_as_compiled(module);
  EXPECT_EQ(variable(module, "counter", 4), 5);
}

TEST_F(EmulatedModuleImages, MachineCodeOfCuda134) {
  needs_capability(10, 0);
  const CUmodule module = load(module_named("kernels.sm_100a.cuda-13.4.cubin"));
  expect_as_compiled(module);
  EXPECT_EQ(variable(module, "counter", 4), 5);
}

TEST_F(EmulatedModuleImages, MachineCodeIsForItsOwnArchitecture) {
  set_card("CAPABILITY", "8.9");
  begin();
  CUmodule module = nullptr;
  for (const char* name : {"kernels.sm_90.cuda-13.0.cubin", "kernels.sm_90a.cuda-12.9.cubin",
                           "kernels.sm_100a.cuda-13.4.cubin"}) {
    EXPECT_EQ(cuModuleLoadData(&module, module_named(name).c_str()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  }
}

TEST_F(EmulatedModuleImages, CodeForExactlyOneArchitectureRunsOnNoLaterOne) {
  of_the_emulation_alone("the modules are patched");
  set_card("CAPABILITY", "8.6");
  begin();
  // Of 8.0 instead of 9.0 and 10.0. Where the architecture stands differs between the layouts.
  std::string older = module_named("kernels.sm_90a.cuda-12.9.cubin");
  std::string newer = module_named("kernels.sm_100a.cuda-13.4.cubin");
  std::string family = module_named("kernels.sm_90.cuda-13.0.cubin");
  ASSERT_EQ(older[48], 90);
  ASSERT_EQ(newer[49], 100);
  ASSERT_EQ(family[49], 90);
  older[48] = newer[49] = family[49] = 80;
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, older.c_str()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cuModuleLoadData(&module, newer.c_str()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(cuModuleLoadData(&module, family.c_str()), CUDA_SUCCESS);
}

TEST_F(EmulatedModuleImages, MachineCodeThatEndsTooSoonIsAnInvalidImage) {
  of_the_emulation_alone("a driver reads beyond the end of a broken image");
  const std::string whole = module_named("kernels.sm_90.cuda-13.0.cubin");
  begin();
  std::string text = whole;
  text[18] = 62;  // another machine
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, text.c_str()), CUDA_ERROR_INVALID_IMAGE);
  text = whole;
  text[62] = '\xff';  // the section of names
  text[63] = '\xff';
  EXPECT_EQ(cuModuleLoadData(&module, text.c_str()), CUDA_ERROR_INVALID_IMAGE);
}

TEST_F(EmulatedModuleImages, AFileThatEndsTooSoonIsAnInvalidImage) {
  of_the_emulation_alone("which part of a broken file a driver looks at is its own");
  needs_capability(9, 0);
  begin();
  for (const char* name : {"kernels.sm_90.cuda-13.0.cubin", "kernels.fatbin"}) {
    const std::string whole = module_named(name);
    for (const std::size_t kept : {std::size_t{3}, std::size_t{10}, std::size_t{40},
                                   std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
      const std::string file = testing::TempDir() + "headroom_broken_module";
      std::ofstream(file, std::ios::binary) << whole.substr(0, kept);
      CUmodule module = nullptr;
      EXPECT_EQ(cuModuleLoad(&module, file.c_str()), CUDA_ERROR_INVALID_IMAGE) << name << kept;
      std::remove(file.c_str());
    }
  }
}

TEST_F(EmulatedModuleImages, RegistersBoundABlock) {
  of_the_emulation_alone("the module is patched");
  // The registers of a kernel are a number of the module's notes: 12 and 14 become 168.
  std::string text = module_named("kernels.sm_90.cuda-13.0.cubin");
  for (std::size_t at = 0; at + 12 < text.size(); ++at) {
    if (text.compare(at, 4, std::string("\x04\x2f\x08\x00", 4)) == 0) text[at + 8] = '\xa8';
  }
  const CUfunction add = function(load(text), "add");
  EXPECT_EQ(attribute(add, CU_FUNC_ATTRIBUTE_NUM_REGS), 168);
  EXPECT_EQ(attribute(add, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 384);
  EXPECT_EQ(launch(add, 1, 384), CUDA_SUCCESS);
  EXPECT_EQ(launch(add, 1, 416), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
}

TEST_F(EmulatedModuleImages, OfPackedCodeTheNewestThatRunsIsLoaded) {
  needs_capability(9, 0);
  const std::string packed = module_named("kernels.fatbin");
  const CUmodule module = load(packed);
  expect_as_compiled(module);
  CUmodule again = nullptr;
  EXPECT_EQ(cuModuleLoadFatBinary(&again, packed.c_str()), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleLoad(&again, module_file("kernels.fatbin").c_str()), CUDA_SUCCESS);
}

TEST_F(EmulatedModuleImages, PackedCodeIsForItsArchitectures) {
  set_card("CAPABILITY", "7.5");
  begin();
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, module_named("kernels.fatbin").c_str()),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
}

TEST_F(EmulatedModuleImages, OfPackedCodeThePortableOneServesLaterCards) {
  set_card("CAPABILITY", "12.0");
  const CUmodule module = load(module_named("kernels.fatbin"));
  const CUfunction shuffle = function(module, "shuffle");
  EXPECT_EQ(attribute(shuffle, CU_FUNC_ATTRIBUTE_PTX_VERSION), 90);
  EXPECT_EQ(attribute(shuffle, CU_FUNC_ATTRIBUTE_BINARY_VERSION), 120);
  EXPECT_EQ(attribute(shuffle, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 2048);
  EXPECT_EQ(variable(module, "large", 4000), 0);
}

TEST_F(EmulatedModuleImages, NamesInCompressedCodeAreNotRead) {
  needs_capability(9, 0);
  const CUmodule module = load(module_named("kernels.compressed.fatbin"));
  EXPECT_EQ(launch(function(module, "add"), 1, 32), CUDA_SUCCESS);
  of_the_emulation_alone("a driver reads them");
  EXPECT_EQ(launch(function(module, "whatever is asked for"), 1, 32), CUDA_SUCCESS);
  CUdeviceptr at = 0;
  EXPECT_EQ(cuModuleGetGlobal(&at, nullptr, module, "counter"), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(EmulatedModuleImages, ALibrarysKernelsAreFunctionsToo) {
  begin();
  CUlibrary library = nullptr;
  ASSERT_EQ(
      cuLibraryLoadData(&library, portable_code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
      CUDA_SUCCESS);
  CUkernel kernel = nullptr;
  EXPECT_EQ(cuLibraryGetKernel(&kernel, library, "helper"), CUDA_ERROR_NOT_FOUND);
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "bounded"), CUDA_SUCCESS);
  const char* name = nullptr;
  ASSERT_EQ(cuKernelGetName(&name, kernel), CUDA_SUCCESS);
  EXPECT_STREQ(name, "bounded");
  int value = 0;
  ASSERT_EQ(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(value, 2048);
  CUfunction function = nullptr;
  ASSERT_EQ(cuKernelGetFunction(&function, kernel), CUDA_SUCCESS);
  EXPECT_EQ(launch(function, 1, 256), CUDA_SUCCESS);
  CUdeviceptr at = 0;
  std::size_t size = 0;
  ASSERT_EQ(cuLibraryGetGlobal(&at, &size, library, "table"), CUDA_SUCCESS);
  EXPECT_EQ(size, 24u);
  unsigned count = 0;
  ASSERT_EQ(cuLibraryGetKernelCount(&count, library), CUDA_SUCCESS);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
}

TEST_F(EmulatedModuleImages, ClustersNeedACardThatHasThem) {
  CUlaunchAttribute cluster{};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {2, 1, 1};
  CUlaunchConfig shape{};
  shape.gridDimX = 4;
  shape.gridDimY = shape.gridDimZ = shape.blockDimY = shape.blockDimZ = 1;
  shape.blockDimX = 32;
  shape.attrs = &cluster;
  shape.numAttrs = 1;
  needs_capability(9, 0);
  const CUfunction plain = function(load(portable_code), "plain");
  CUdeviceptr none = 0;
  void* arguments[] = {&none};
  EXPECT_EQ(cuLaunchKernelEx(&shape, plain, arguments, nullptr), CUDA_SUCCESS);
  int clusters = 0;
  EXPECT_EQ(cuOccupancyMaxActiveClusters(&clusters, plain, &shape), CUDA_SUCCESS);
  EXPECT_GT(clusters, 0);
  shape.gridDimX = 3;
  EXPECT_NE(cuLaunchKernelEx(&shape, plain, arguments, nullptr), CUDA_SUCCESS);
  shape.attrs = nullptr;
  shape.numAttrs = 0;
  EXPECT_EQ(cuLaunchKernelEx(&shape, plain, arguments, nullptr), CUDA_SUCCESS);
}

}  // namespace
