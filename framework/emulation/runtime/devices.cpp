// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "devices.hpp"
#include "../card/attributes.hpp"
#include "../card/pool.hpp"
#include "answer.hpp"
#include "properties.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

cudaError_t cudaGetDeviceCount(int* count) {
  if (count != nullptr) *count = 0;
  return answer(call::cudaGetDeviceCount_, [&](session& now) {
    if (count == nullptr) return result::invalid_value;
    *count = now.all.visible;
    return result::success;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return answer(call::cudaGetDevice_, [&](session& now) {
    if (device == nullptr) return result::invalid_value;
    *device = now.me.device;
    return result::success;
  });
}

cudaError_t cudaSetDevice(int device) {
  return answer(call::cudaSetDevice_, [&](session& now) {
    if (device_of(now.all, device) == nullptr) return result::invalid_device;
    now.me.device = device;
    return current_device(now.all, now.me) == nullptr ? result::out_of_memory : result::success;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return answer_on_device(call::cudaDeviceSynchronize_, [](device_session& now) {
    for (const auto& each : now.on.streams) {
      const result refused = refuse_in_capture(*each);
      if (refused != result::success) return refused;
    }
    wait_for_device(now.all, now.lock, now.on);
    trim_pools(now.all, now.on);
    return now.on.fault;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return answer(call::cudaDeviceGetAttribute_, [&](session& now) {
    if (device_of(now.all, device) == nullptr) return result::invalid_device;
    const std::optional<int> known = attribute_of(*device_of(now.all, device), attribute);
    if (!known || value == nullptr) return result::invalid_value;
    *value = *known;
    return result::success;
  });
}

#if HEADROOM_ABI_MAJOR >= 13
constexpr call properties_call = call::cudaGetDeviceProperties_;
#else
constexpr call properties_call = call::cudaGetDeviceProperties_v2_;
#endif

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return answer(properties_call, [&](session& now) {
    if (properties == nullptr) return result::invalid_value;
    if (device_of(now.all, device) == nullptr) return result::invalid_device;
    fill_properties(*properties, *device_of(now.all, device));
    return result::success;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return answer_on_device(call::cudaDeviceGetStreamPriorityRange_, [&](device_session&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return result::success;
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return answer(call::cudaDriverGetVersion_, [&](session&) {
    if (version == nullptr) return result::invalid_value;
    *version = driver_version;
    return result::success;
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return answer(call::cudaRuntimeGetVersion_, [&](session&) {
    if (version == nullptr) return result::invalid_value;
    *version = HEADROOM_ABI_MAJOR * 1000;
    return result::success;
  });
}
