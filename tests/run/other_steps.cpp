// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "other_steps.hpp"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#ifdef HEADROOM_TEST_WITH_TOOLKIT
#include <cuda.h>
#include <cuda_runtime_api.h>
#else
#include "emulation/abi/driver_calls.hpp"
#include "emulation/abi/registration_calls.hpp"
#include "emulation/abi/runtime_calls.hpp"
#endif

namespace {

template <class Function>
Function* driver(const char* name, Function*) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  void* const found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) std::fprintf(stderr, "%s: not found\n", name);
  return reinterpret_cast<Function*>(found);
}
#define DRIVER(name) driver(#name, static_cast<decltype(name)*>(nullptr))

void check(int answer, const char* what) {
  if (answer != 0) std::fprintf(stderr, "%s: error %d\n", what, answer);
}

struct other_memory {
  std::vector<CUdeviceptr> of_driver;
  CUdeviceptr range = 0;
  std::size_t length = 0;
  CUmemGenericAllocationHandle handle = 0;
  cudaMemPool_t pool = nullptr;
  void* pooled = nullptr;
};
other_memory held;

void take_by(CUresult (*allocate)(CUdeviceptr*, std::size_t), std::size_t size) {
  CUdeviceptr at = 0;
  if (allocate == nullptr) return;
  check(allocate(&at, size), "cuMemAlloc");
  held.of_driver.push_back(at);
}

void look_up(std::size_t size) {
  void* found = nullptr;
  check(DRIVER(cuGetProcAddress_v2)("cuMemAlloc", &found, 12000, 0, nullptr), "cuGetProcAddress");
  take_by(reinterpret_cast<decltype(cuMemAlloc_v2)*>(found), size);
}

void ask_entry(std::size_t size) {
  void* found = nullptr;
  check(cudaGetDriverEntryPointByVersion("cuMemAlloc", &found, 12000, 0, nullptr), "entry point");
  take_by(reinterpret_cast<decltype(cuMemAlloc_v2)*>(found), size);
}

void look_up_version(std::size_t size) {
  const std::string name = "libcudart.so." + std::to_string(HEADROOM_ABI_MAJOR);
  void* const library = dlopen(name.c_str(), RTLD_NOW);
  void* const found = library == nullptr ? nullptr : dlvsym(library, "cudaMalloc", name.c_str());
  void* at = nullptr;
  if (found == nullptr)
    return static_cast<void>(std::fprintf(stderr, "%s: no cudaMalloc\n", dlerror()));
  check(reinterpret_cast<cudaError_t (*)(void**, std::size_t)>(found)(&at, size), "cudaMalloc");
}

void create(std::size_t size) {
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  held.length = size;
  check(DRIVER(cuMemCreate)(&held.handle, size, &wanted, 0), "cuMemCreate");
  check(DRIVER(cuMemAddressReserve)(&held.range, size, 0, 0, 0), "cuMemAddressReserve");
  check(DRIVER(cuMemMap)(held.range, size, 0, held.handle, 0), "cuMemMap");
  check(DRIVER(cuMemRetainAllocationHandle)(&held.handle, reinterpret_cast<void*>(held.range)),
        "cuMemRetainAllocationHandle");
}

void pool(std::size_t size) {
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location = {cudaMemLocationTypeDevice, 0};
  check(cudaMemPoolCreate(&held.pool, &wanted), "cudaMemPoolCreate");
  check(cudaMallocFromPoolAsync(&held.pooled, size, held.pool, nullptr), "cudaMallocFromPoolAsync");
}

void graph(std::size_t size, bool keep) {
  cudaStream_t stream = nullptr;
  cudaGraph_t captured = nullptr;
  cudaGraphExec_t made = nullptr;
  void* at = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  check(cudaMallocAsync(&at, size, stream), "cudaMallocAsync");
  if (!keep) check(cudaFreeAsync(at, stream), "cudaFreeAsync");
  check(cudaStreamEndCapture(stream, &captured), "cudaStreamEndCapture");
  check(cudaGraphInstantiate(&made, captured, 0), "cudaGraphInstantiate");
  for (int i = 0; i < (keep ? 1 : 2); ++i) check(cudaGraphLaunch(made, stream), "cudaGraphLaunch");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

void threads(long count) {
  std::vector<std::thread> all;
  for (long i = 0; i < count; ++i) {
    all.emplace_back([i] {
      for (std::size_t round = 1; round <= 200; ++round) {
        void* at = nullptr;
        check(cudaMalloc(&at, round * 1000 * static_cast<std::size_t>(i + 1)), "cudaMalloc");
        check(cudaFree(at), "cudaFree");
      }
    });
  }
  for (std::thread& each : all) each.join();
}

/// 64 blocks and 64 of a pool, each taken by one of the threads, all of which hold theirs at once;
/// then a half is given back.
void spread(long count) {
  constexpr std::size_t all = 64;
  constexpr std::size_t size = (3 << 20) + 1;
  std::barrier met(count);
  std::vector<std::thread> threads;
  const auto work = [count, &met](std::size_t first) {
    std::vector<std::pair<void*, void*>> taken;
    for (std::size_t i = first; i < all; i += static_cast<std::size_t>(count)) {
      auto& [block, pooled] = taken.emplace_back(nullptr, nullptr);
      check(cudaMalloc(&block, size), "cudaMalloc");
      check(cudaMallocAsync(&pooled, size, nullptr), "cudaMallocAsync");
    }
    met.arrive_and_wait();
    for (std::size_t i = 0; i < taken.size() / 2; ++i) {
      check(cudaFree(taken[i].first), "cudaFree");
      check(cudaFreeAsync(taken[i].second, nullptr), "cudaFreeAsync");
    }
  };
  for (long i = 0; i < count; ++i) threads.emplace_back(work, static_cast<std::size_t>(i));
  for (std::thread& each : threads) each.join();
}

void share(std::size_t percent) {
  std::size_t free = 0;
  std::size_t total = 0;
  void* at = nullptr;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  check(cudaMalloc(&at, total / 100 * percent), "cudaMalloc");
}

void pitch(std::size_t width) {
  void* at = nullptr;
  std::size_t row = 0;
  check(cudaMallocPitch(&at, &row, width, 10), "cudaMallocPitch");
}

/// As nvcc's code for `__global__ void spin()` does.
void launch(std::size_t count) {
  static char spin = 0;
  static void** const module = [] {
    void** const made = __cudaRegisterFatBinary(nullptr);
    __cudaRegisterFunction(made, &spin, nullptr, "spin", -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
    __cudaRegisterFatBinaryEnd(made);
    return made;
  }();
  for (std::size_t i = 0; i < count && module != nullptr; ++i) {
    check(cudaLaunchKernel(&spin, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), "cudaLaunchKernel");
  }
}

void managed(std::size_t size) {
  void* at = nullptr;
  check(cudaMallocManaged(&at, size, cudaMemAttachGlobal), "cudaMallocManaged");
}

}  // namespace

bool other_step(const std::string& name, long number) {
  const auto size = static_cast<std::size_t>(number);
  const std::map<std::string, void (*)(std::size_t)> sized{
      {"driver", [](std::size_t n) { take_by(DRIVER(cuMemAlloc_v2), n); }},
      {"lookup", look_up},
      {"entry", ask_entry},
      {"version", look_up_version},
      {"create", create},
      {"pool", pool},
      {"graph", [](std::size_t n) { graph(n, false); }},
      {"keep", [](std::size_t n) { graph(n, true); }},
      {"pitch", pitch},
      {"launch", launch},
      {"managed", managed},
      {"share", share}};
  if (const auto found = sized.find(name); found != sized.end()) {
    found->second(size);
  } else if (name == "driver_give") {
    check(DRIVER(cuMemFree_v2)(held.of_driver.back()), "cuMemFree");
    held.of_driver.pop_back();
  } else if (name == "unmap") {
    check(DRIVER(cuMemUnmap)(held.range, held.length), "cuMemUnmap");
  } else if (name == "release") {
    check(DRIVER(cuMemRelease)(held.handle), "cuMemRelease");
  } else if (name == "destroy") {
    check(cudaMemPoolDestroy(held.pool), "cudaMemPoolDestroy");
    check(cudaFree(held.pooled), "cudaFree");
  } else if (name == "trim") {
    check(cudaDeviceGraphMemTrim(0), "cudaDeviceGraphMemTrim");
  } else if (name == "reset") {
    check(cudaDeviceReset(), "cudaDeviceReset");
  } else if (name == "clearenv") {
    clearenv();
  } else if (name == "_exit") {
    _exit(static_cast<int>(number));
  } else if (name == "most_files" || name == "file_size") {
    const rlimit limit{size, size};
    check(setrlimit(name == "most_files" ? RLIMIT_NOFILE : RLIMIT_FSIZE, &limit), "setrlimit");
  } else if (name == "threads") {
    threads(number);
  } else if (name == "spread") {
    spread(number);
  } else {
    return false;
  }
  return true;
}
