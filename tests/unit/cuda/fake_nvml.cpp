// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "cuda/nvml_calls.hpp"

/// A library with NVML's names that says what FAKE_NVML asks for. Built twice: FAKE_NVML_OLD leaves
/// out what came later.
using namespace headroom::cuda::nvml_abi;

namespace {

bool asked(const char* what) {
  const char* const text = std::getenv("FAKE_NVML");
  return text != nullptr && std::strstr(text, what) != nullptr;
}

}  // namespace

extern "C" {

int nvmlInit_v2() { return asked("no-driver") ? 9 : success; }
int nvmlShutdown() { return success; }
const char* nvmlErrorString(int result) {
  return result == 9 ? "Driver Not Loaded" : result == not_found ? "Not Found" : "Other";
}
int nvmlSystemGetNVMLVersion(char* text, unsigned length) {
  std::strncpy(text, "13.580.82", length);
  return success;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  const std::string known = asked("mig") ? "MIG-0102" : "GPU-0102";
  if (known != uuid) return not_found;
  static int handle;
  *device = &handle;
  return success;
}
int nvmlDeviceGetMemoryInfo(void*, memory_1* memory) {
  *memory = {1000, 700, 300};
  return success;
}
#ifndef FAKE_NVML_OLD
int nvmlDeviceGetMemoryInfo_v2(void*, memory_2* memory) {
  if (asked("memory-1-only")) return not_supported;
  if (memory->version != memory_2_version) return 25;
  *memory = {memory_2_version, 1000, 40, 650, 310};
  return success;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, process_3* processes) {
  if (asked("no-permission")) return no_permission;
  if (asked("not-supported")) return not_supported;
  const unsigned total = asked("crowd") ? 200 : 2;
  if (*count < total) {
    *count = total;
    return insufficient_size;
  }
  for (unsigned i = 0; i < total; ++i) processes[i] = {i + 1, 11, 0, 0};
  const auto own = static_cast<unsigned>(getpid());
  if (!asked("not-listed")) {
    processes[total - 1] = {own, asked("no-bytes") ? not_available : 222, 0, 0};
  }
  *count = total;
  return success;
}
#endif
}
