// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <unistd.h>

#include <map>

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::nvml;

namespace {

/// This process, once it has a context, and those that headroom_emulation_other_process named.
/// @param fill  sets what the structure has besides
template <class Info, class Fill>
nvmlReturn_t processes_of(call which, nvmlDevice_t handle, unsigned* count, Info* into, Fill fill) {
  return answer_about(which, handle, [&](const device& on) {
    if (count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    std::map<unsigned, std::uint64_t> found = on.others;
    std::uint64_t own = on.memory.used();
    for (const auto& [process, bytes] : on.others) own -= bytes;
    if (on.active) found[static_cast<unsigned>(getpid())] = own;
    const unsigned room = *count;
    *count = static_cast<unsigned>(found.size());
    if (*count > room) return NVML_ERROR_INSUFFICIENT_SIZE;
    if (*count == 0) return NVML_SUCCESS;
    if (into == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    for (const auto& [process, bytes] : found) {
      *into = {};
      into->pid = process;
      into->usedGpuMemory = bytes;
      fill(*into++);
    }
    return NVML_SUCCESS;
  });
}

void no_instance(nvmlProcessInfo_t& info) {
  info.gpuInstanceId = ~0u;
  info.computeInstanceId = ~0u;
}

}  // namespace

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t handle, nvmlMemory_t* memory) {
  return answer_about(call::nvmlDeviceGetMemoryInfo_, handle, [&](const device& on) {
    return put(memory,
               {on.memory.capacity(), on.memory.free(), on.memory.capacity() - on.memory.free()});
  });
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t handle, nvmlMemory_v2_t* memory) {
  return answer_about(call::nvmlDeviceGetMemoryInfo_v2_, handle, [&](const device& on) {
    if (memory == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    if (memory->version != nvmlMemory_v2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    *memory = {nvmlMemory_v2, on.memory.capacity(), 0, on.memory.free(),
               on.memory.capacity() - on.memory.free()};
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t handle, unsigned* count,
                                                  nvmlProcessInfo_v1_t* processes) {
  return processes_of(call::nvmlDeviceGetComputeRunningProcesses_, handle, count, processes,
                      [](nvmlProcessInfo_v1_t&) {});
}
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t handle, unsigned* count,
                                                     nvmlProcessInfo_t* processes) {
  return processes_of(call::nvmlDeviceGetComputeRunningProcesses_v2_, handle, count, processes,
                      no_instance);
}
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t handle, unsigned* count,
                                                     nvmlProcessInfo_t* processes) {
  return processes_of(call::nvmlDeviceGetComputeRunningProcesses_v3_, handle, count, processes,
                      no_instance);
}
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t handle, unsigned* count,
                                                      nvmlProcessInfo_t*) {
  return answer_about(call::nvmlDeviceGetGraphicsRunningProcesses_v3_, handle,
                      [&](const device&) { return put(count, 0u); });
}
