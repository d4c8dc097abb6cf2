// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Calls that a program looks up by name: what it gets is the wrapper, so that a runtime that is
// linked statically, and libraries that find the driver themselves, are counted too.
#include <dlfcn.h>

#include <cstdint>

#include "real.hpp"

using namespace headroom::counting;

namespace {

constexpr unsigned long long thread_stream_flag = 2;  // as in CUdriverProcAddress_flags

void put_wrapper(const char* name, void** function, int version, unsigned long long flags,
                 bool thread_stream) {
  if (name == nullptr || function == nullptr) return;
  *function = wrapper_of_entry(name, *function, version,
                               thread_stream || (flags & thread_stream_flag) != 0);
}

int runtime_entry(call which, const char* name, void** function, unsigned long long flags,
                  int* status, bool thread_stream) {
  const int answer = real<int(const char*, void**, unsigned long long, int*)>(which)(name, function,
                                                                                     flags, status);
  // The runtime asks for the version that it was built with, which is one that is known here.
  if (answer == 0) put_wrapper(name, function, 12000, flags, thread_stream);
  return answer;
}

int runtime_entry_by_version(call which, const char* name, void** function, unsigned version,
                             unsigned long long flags, int* status, bool thread_stream) {
  const int answer = real<int(const char*, void**, unsigned, unsigned long long, int*)>(which)(
      name, function, version, flags, status);
  if (answer == 0) put_wrapper(name, function, static_cast<int>(version), flags, thread_stream);
  return answer;
}

}  // namespace

extern "C" {
int cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags);
int cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags,
                        int* status);
int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                            int* status);
int cudaGetDriverEntryPoint_ptsz(const char* name, void** function, unsigned long long flags,
                                 int* status);
int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                     unsigned long long flags, int* status);
int cudaGetDriverEntryPointByVersion_ptsz(const char* name, void** function, unsigned version,
                                          unsigned long long flags, int* status);
}

int cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags) {
  const int answer =
      real<decltype(cuGetProcAddress)>(call::cuGetProcAddress_)(name, function, version, flags);
  if (answer == 0) put_wrapper(name, function, version, flags, false);
  return answer;
}

int cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags,
                        int* status) {
  const int answer = real<decltype(cuGetProcAddress_v2)>(call::cuGetProcAddress_v2_)(
      name, function, version, flags, status);
  if (answer == 0) put_wrapper(name, function, version, flags, false);
  return answer;
}

int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                            int* status) {
  return runtime_entry(call::cudaGetDriverEntryPoint_, name, function, flags, status, false);
}
int cudaGetDriverEntryPoint_ptsz(const char* name, void** function, unsigned long long flags,
                                 int* status) {
  return runtime_entry(call::cudaGetDriverEntryPoint_ptsz_, name, function, flags, status, true);
}
int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                     unsigned long long flags, int* status) {
  return runtime_entry_by_version(call::cudaGetDriverEntryPointByVersion_, name, function, version,
                                  flags, status, false);
}
int cudaGetDriverEntryPointByVersion_ptsz(const char* name, void** function, unsigned version,
                                          unsigned long long flags, int* status) {
  return runtime_entry_by_version(call::cudaGetDriverEntryPointByVersion_ptsz_, name, function,
                                  version, flags, status, true);
}

/// The C library looks at who calls it, where the handle stands for an order of loading: so those
/// calls, and all that are not for CUDA, must go on as jumps, which the compiler makes of a last
/// call where it optimizes. A test holds it to that.
extern "C" [[gnu::optimize("O2"), gnu::noinline]] void* dlsym(
    void* __restrict handle, const char* __restrict name) noexcept {
  dlsym_function* const next = real_dlsym();
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || name[0] != 'c' || name[1] != 'u') {
    return next(handle, name);
  }
  return wrapper_of_symbol(name, next(handle, name));
}

/// CUDA's libraries have no versions of their functions: this finds what the C library's finds.
extern "C" [[gnu::optimize("O2"), gnu::noinline]] void* dlvsym(
    void* __restrict handle, const char* __restrict name, const char* __restrict version) noexcept {
  dlvsym_function* const next = real_dlvsym();
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || name[0] != 'c' || name[1] != 'u') {
    return next(handle, name, version);
  }
  return wrapper_of_symbol(name, next(handle, name, version));
}
