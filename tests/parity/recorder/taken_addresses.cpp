// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Notes what the reference takes of the emulated card: the program's own cudaMalloc and the
// driver's cuMemAddressReserve, which the runtime hands out by name, stand in front of the
// emulation's.
#include "taken_addresses.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <iterator>
#include <map>
#include <string_view>

namespace {

class taken_addresses {
 public:
  void note(const void* address) {
    // An address that was given back may be taken again: it is then the later one's.
    begins_[reinterpret_cast<std::uint64_t>(address)] = count_++;
  }
  [[nodiscard]] taken_place locate(const void* address) const {
    const auto behind = begins_.upper_bound(reinterpret_cast<std::uint64_t>(address));
    if (behind == begins_.begin()) return {};
    const auto& [begin, ordinal] = *std::prev(behind);
    return {ordinal, reinterpret_cast<std::uint64_t>(address) - begin};
  }

 private:
  std::map<std::uint64_t, std::uint64_t> begins_;
  std::uint64_t count_ = 0;
};

taken_addresses& taken() {
  static taken_addresses one;
  return one;
}

template <class Function>
Function* behind_this(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

using reserve_call = CUresult(CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long);
reserve_call* real_reserve = nullptr;

CUresult noted_reserve(CUdeviceptr* address, size_t size, size_t alignment, CUdeviceptr wanted,
                       unsigned long long flags) {
  const CUresult result = real_reserve(address, size, alignment, wanted, flags);
  if (result == CUDA_SUCCESS) taken().note(reinterpret_cast<const void*>(*address));
  return result;
}

}  // namespace

taken_place locate_taken(const void* address) { return taken().locate(address); }

extern "C" {

cudaError_t cudaMalloc(void** address, size_t size) {
  static auto* const real = behind_this<cudaError_t(void**, size_t)>("cudaMalloc");
  const cudaError_t result = real(address, size);
  if (result == cudaSuccess) taken().note(*address);
  return result;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** entry, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* found) {
  static auto* const real = behind_this<cudaError_t(
      const char*, void**, unsigned, unsigned long long, cudaDriverEntryPointQueryResult*)>(
      "cudaGetDriverEntryPointByVersion");
  const cudaError_t result = real(name, entry, version, flags, found);
  if (result == cudaSuccess && std::string_view(name) == "cuMemAddressReserve") {
    real_reserve = reinterpret_cast<reserve_call*>(*entry);
    *entry = reinterpret_cast<void*>(&noted_reserve);
  }
  return result;
}

}  // extern "C"
