// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Calls by name.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

/// This library, however the program loaded it.
void* own_handle() {
  static void* const handle = [] {
    Dl_info own{};
    if (dladdr(reinterpret_cast<const void*>(&own_handle), &own) == 0) return RTLD_DEFAULT;
    void* found = dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    return found == nullptr ? RTLD_DEFAULT : found;
  }();
  return handle;
}

/// "cuMemAlloc" is cuMemAlloc_v2, as the driver's headers have it since CUDA 3.2: the modelled name
/// with the highest version, else the exported one with the highest.
void* find(const std::string& name) {
  const call_table& table = library::this_library();
  const auto modelled = [&](const std::string& full) {
    return std::any_of(table.modelled, table.modelled + table.modelled_count,
                       [&](const char* known) { return full == known; });
  };
  const char* const versions[] = {"_v4", "_v3", "_v2", ""};
  for (const char* version : versions) {
    if (modelled(name + version)) return dlsym(own_handle(), (name + version).c_str());
  }
  for (const char* version : versions) {
    for (std::size_t i = 0; i < table.unmodelled_count; ++i) {
      if (name + version == table.unmodelled[i]) {
        return dlsym(own_handle(), (name + version).c_str());
      }
    }
  }
  return nullptr;
}

}  // namespace

CUresult cuGetProcAddress_v2(const char* name, void** function, int, std::uint64_t,
                             CUdriverProcAddressQueryResult* status) {
  count(call::cuGetProcAddress_v2_);
  if (name == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = find(name);
  const bool found = *function != nullptr;
  if (status != nullptr) {
    *status = found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  }
  return found || status != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags) {
  count(call::cuGetProcAddress_);
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

// Tables behind the driver's interface, known by a number only. The CUDA runtime begins with them:
// what asks here has a runtime inside, where no stand-in can take its place.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  count(call::cuGetExportTable_);
  if (table != nullptr) *table = nullptr;
  Dl_info caller{};
  const char* file = "a file of this process";
  if (dladdr(__builtin_return_address(0), &caller) != 0) file = caller.dli_fname;
  static std::mutex guard;
  static auto* named = new std::set<std::string>;
  const std::lock_guard lock(guard);
  if (named->insert(file).second) {
    std::fprintf(
        stderr,
        "headroom: emulated card: %s links the CUDA runtime statically, and so cannot use an "
        "emulated card. Link the shared one: in CMake, set(CMAKE_CUDA_RUNTIME_LIBRARY Shared) "
        "before the target, or link CUDA::cudart; with nvcc alone, -cudart shared\n",
        file);
  }
  note_gap(("CUDA runtime linked statically: " + std::string(file)).c_str());
  return CUDA_ERROR_NOT_FOUND;
}
