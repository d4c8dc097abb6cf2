// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <dlfcn.h>

#include "../abi/driver_types.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

using get_proc_address = CUresult (*)(const char*, void**, int, std::uint64_t,
                                      CUdriverProcAddressQueryResult*);

/// The emulated driver stands beside this library; the program need not have loaded it.
get_proc_address driver_lookup() {
  static const auto lookup = [] {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    return driver == nullptr
               ? nullptr
               : reinterpret_cast<get_proc_address>(dlsym(driver, "cuGetProcAddress_v2"));
  }();
  return lookup;
}

cudaError_t entry_point(call which, const char* name, void** function, unsigned version,
                        cudaDriverEntryPointQueryResult* status) {
  count(which);
  thread_state& me = this_thread();
  if (name == nullptr || function == nullptr) return keep(me, result::invalid_value);
  const get_proc_address lookup = driver_lookup();
  if (lookup == nullptr) return keep(me, result::insufficient_driver);
  CUdriverProcAddressQueryResult found{};
  lookup(name, function, static_cast<int>(version), 0, &found);
  if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
  if (*function != nullptr || status != nullptr) return cudaSuccess;
  return keep(me, result::not_found);
}

}  // namespace

cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* status) {
  return entry_point(call::cudaGetDriverEntryPoint_, name, function, HEADROOM_ABI_MAJOR * 1000,
                     status);
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return entry_point(call::cudaGetDriverEntryPointByVersion_, name, function, version, status);
}
