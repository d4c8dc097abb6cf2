// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <vector>

#include "api.hpp"
#ifndef HEADROOM_TEST_WITH_TOOLKIT
#include "emulation/abi/registration_calls.hpp"
#else
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFunction(void** module, const char* host, char* device, const char* name,
                            int thread_limit, uint3* tid, uint3* bid, dim3* block, dim3* grid,
                            int* warp_size);
}
#endif

namespace {

// As the compiler's host code does it: a kernel is an address of the program, registered by name.
const char add_kernel = 0;

class EmulatedLaunches : public testing::Test {
 protected:
  EmulatedLaunches() {
    of_the_emulation_alone("kernels without code are not registered");
    void** const module = __cudaRegisterFatBinary(nullptr);
    __cudaRegisterFunction(module, &add_kernel, nullptr, "_Z3addPiii", -1, nullptr, nullptr,
                           nullptr, nullptr, nullptr);
  }
  /// add<<<1, 32>>>(to, count, value)
  static cudaError_t add(int* to, int count, int value, cudaStream_t on) {
    void* arguments[] = {&to, &count, &value};
    return cudaLaunchKernel(&add_kernel, dim3(1), dim3(32), arguments, 0, on);
  }
  static void twin(void** arguments) {
    int* const to = *static_cast<int**>(arguments[0]);
    for (int i = 0; i < *static_cast<int*>(arguments[1]); ++i) {
      to[i] += *static_cast<int*>(arguments[2]);
    }
  }
  static void set_twin() {
    constexpr std::size_t sizes[] = {sizeof(int*), sizeof(int), sizeof(int)};
    headroom_emulation_set_host_twin(&add_kernel, twin, sizes, 3);
  }
  static int* ones(int count) {
    void* at = nullptr;
    EXPECT_EQ(cudaMalloc(&at, static_cast<std::size_t>(count) * 4), cudaSuccess);
    const std::vector<int> values(static_cast<std::size_t>(count), 1);
    EXPECT_EQ(cudaMemcpy(at, values.data(), values.size() * 4, cudaMemcpyHostToDevice),
              cudaSuccess);
    return static_cast<int*>(at);
  }
  static int first(const int* at) {
    int value = -1;
    EXPECT_EQ(cudaMemcpy(&value, at, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
  }
};

/// What the compiler packs: machine code of 8.0 and 8.6, portable code of 8.0.
struct packed_code {
  struct piece {
    std::uint16_t kind, version = 1;
    std::uint32_t header_size = sizeof(piece);
    std::uint64_t size = 0;
    std::uint32_t unused[2] = {};
    std::uint16_t parts[2] = {};
    std::uint32_t architecture;
  };
  struct {
    std::uint32_t magic = 0xBA55ED50;
    std::uint16_t version = 1, header_size = 16;
    std::uint64_t size = 3 * sizeof(piece);
  } header;
  piece pieces[3] = {{.kind = 2, .architecture = 80},
                     {.kind = 2, .architecture = 86},
                     {.kind = 1, .architecture = 80}};
};

/// Of a kernel in it, on the card's compute capability.
cudaFuncAttributes attributes_of_packed() {
  static const packed_code code;
  static const struct {
    std::uint32_t magic = 0x466243B1, version = 1;
    const void* pieces = &code;
    void* unused = nullptr;
  } wrapper;
  static const char kernel = 0;
  void** const module =
      __cudaRegisterFatBinary(const_cast<void*>(static_cast<const void*>(&wrapper)));
  __cudaRegisterFunction(module, &kernel, nullptr, "_Z4packv", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  cudaFuncAttributes attributes{};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, &kernel), cudaSuccess);
  return attributes;
}

TEST_F(EmulatedLaunches, TheNewestMachineCodeThatRunsIsLoaded) {
  set_card("CAPABILITY", "8.9");
  const cudaFuncAttributes attributes = attributes_of_packed();
  EXPECT_EQ(attributes.binaryVersion, 86);
  EXPECT_EQ(attributes.ptxVersion, 86);
}

TEST_F(EmulatedLaunches, WherePortableCodeIsLoadedItIsMadeForTheDevice) {
  set_card("CAPABILITY", "9.0");
  const cudaFuncAttributes attributes = attributes_of_packed();
  EXPECT_EQ(attributes.binaryVersion, 90);
  EXPECT_EQ(attributes.ptxVersion, 80);
}

TEST_F(EmulatedLaunches, AKernelWithoutATwinIsLeftOutAndCounted) {
  int* const at = ones(8);
  EXPECT_EQ(add(at, 8, 5, nullptr), cudaSuccess);
  EXPECT_EQ(first(at), 1);
  expect_calls("cudaLaunchKernel", 1);
}

TEST_F(EmulatedLaunches, ATwinRunsInStreamOrderOnCopiesOfTheArguments) {
  set_card("CONTENTS", "all");
  set_twin();
  int* const at = ones(8);
  cudaStream_t on = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&on, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(add(at, 8, 5, on), cudaSuccess);
  ASSERT_EQ(add(at, 8, 6, on), cudaSuccess);
  EXPECT_EQ(first(at), 1) << "queued, and the legacy stream does not wait for this one";
  EXPECT_EQ(cudaStreamSynchronize(on), cudaSuccess);
  EXPECT_EQ(first(at), 12);
}

TEST_F(EmulatedLaunches, ATwinIsLeftOutWhereContentsAreNotAllKept) {
  set_twin();
  int* const at = ones(8);
  ASSERT_EQ(add(at, 8, 5, nullptr), cudaSuccess);
  EXPECT_EQ(first(at), 1);
}

TEST_F(EmulatedLaunches, ShapesThatNoCardTakesAreRefused) {
  void* arguments[] = {nullptr};
  const auto launch = [&](dim3 grid, dim3 block, std::size_t shared) {
    return cudaLaunchKernel(&add_kernel, grid, block, arguments, shared, nullptr);
  };
  EXPECT_EQ(launch(dim3(0), dim3(32), 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(dim3(1), dim3(1025), 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(dim3(1), dim3(32, 32, 2), 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(dim3(1, 65536), dim3(32), 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(dim3(1), dim3(32), 48 * 1024 + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel("not a kernel", dim3(1), dim3(32), arguments, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
}

}  // namespace
