// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cstdio>
#include <cstring>

#include "../card/attributes.hpp"
#include "../card/reset.hpp"
#include "answer.hpp"
#include "devices.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return answer(call::cudaInitDevice_, [&](session& now) {
    headroom::emulation::device* wanted = device_of(now.all, device);
    if (wanted == nullptr) return result::invalid_device;
    return activate(now.all, *wanted) ? result::success : result::out_of_memory;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return answer(call::cudaSetValidDevices_, [&](session& now) {
    for (int i = 0; i < count; ++i) {
      if (device_of(now.all, devices[i]) == nullptr) return result::invalid_device;
    }
    return count >= 0 ? result::success : result::invalid_value;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return answer(call::cudaChooseDevice_, [&](session&) {
    if (device == nullptr) return result::invalid_value;
    *device = 0;  // the devices are all alike
    return result::success;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return answer(call::cudaSetDeviceFlags_, [&](session& now) {
    if ((flags & ~0xFFu) != 0) return result::invalid_value;
    device_of(now.all, now.me.device)->flags = flags;
    return result::success;
  });
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return answer(call::cudaGetDeviceFlags_, [&](session& now) {
    if (flags == nullptr) return result::invalid_value;
    constexpr unsigned map_host = 8;  // always so with unified addresses
    *flags = device_of(now.all, now.me.device)->flags | map_host;
    return result::success;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return answer(call::cudaDeviceGetPCIBusId_, [&](session& now) {
    const headroom::emulation::device* wanted = device_of(now.all, device);
    if (wanted == nullptr) return result::invalid_device;
    const std::string known = bus_text(*wanted);
    if (text == nullptr || length <= static_cast<int>(known.size())) return result::invalid_value;
    std::memcpy(text, known.c_str(), known.size() + 1);
    return result::success;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return answer(call::cudaDeviceGetByPCIBusId_, [&](session& now) {
    if (device == nullptr || text == nullptr) return result::invalid_value;
    for (const auto& each : now.all.devices) {
      if (each->index >= now.all.visible || bus_text(*each) != text) continue;
      *device = each->index;
      return result::success;
    }
    return result::invalid_device;
  });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return answer_on_device(call::cudaDeviceGetLimit_, [&](device_session& now) {
    const auto known = now.on.limits.find(static_cast<int>(limit));
    if (known == now.on.limits.end()) return result::unsupported_limit;
    if (value == nullptr) return result::invalid_value;
    *value = known->second;
    return result::success;
  });
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return answer_on_device(call::cudaDeviceSetLimit_, [&](device_session& now) {
    const auto known = now.on.limits.find(static_cast<int>(limit));
    if (known == now.on.limits.end()) return result::unsupported_limit;
    // What a limit takes of the memory is not modelled.
    known->second = value;
    return result::success;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return answer_on_device(call::cudaDeviceGetCacheConfig_, [&](device_session&) {
    if (config == nullptr) return result::invalid_value;
    *config = cudaFuncCachePreferNone;
    return result::success;
  });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return answer_on_device(call::cudaDeviceSetCacheConfig_,
                          [](device_session&) { return result::success; });
}

cudaError_t cudaDeviceReset() {
  return answer(call::cudaDeviceReset_, [](session& now) {
    reset(now.all, now.lock, *device_of(now.all, now.me.device));
    return result::success;
  });
}

cudaError_t cudaProfilerStart() {
  return answer(call::cudaProfilerStart_, [](session&) { return result::success; });
}
cudaError_t cudaProfilerStop() {
  return answer(call::cudaProfilerStop_, [](session&) { return result::success; });
}
