// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cstring>
#include <string_view>

#include "../card/attributes.hpp"
#include "../card/visible.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::nvml;

namespace {

nvmlReturn_t count_of(call which, unsigned* into) {
  return answer(which,
                [&](card& all) { return put(into, static_cast<unsigned>(all.devices.size())); });
}

nvmlDevice_t handle_of(const device& on) {
  return reinterpret_cast<nvmlDevice_t>(const_cast<device*>(&on));
}

nvmlReturn_t by_index(call which, unsigned index, nvmlDevice_t* into) {
  return answer(which, [&](card& all) {
    for (const auto& each : all.devices) {
      if (static_cast<unsigned>(each->place) == index) return put(into, handle_of(*each));
    }
    return NVML_ERROR_INVALID_ARGUMENT;
  });
}

/// The last parts of an address: both "0000:01:00.0" and NVML's own "00000000:01:00.0".
std::string_view behind_domain(std::string_view bus) {
  return bus.substr(std::min(bus.size(), bus.find(':') + 1));
}

/// @param matches  (device&) -> bool
template <class Matches>
nvmlReturn_t by_text(call which, const char* text, nvmlDevice_t* into, Matches matches) {
  return answer(which, [&](card& all) {
    if (text == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    for (const auto& each : all.devices) {
      if (matches(*each)) return put(into, handle_of(*each));
    }
    return NVML_ERROR_NOT_FOUND;
  });
}

nvmlReturn_t by_bus(call which, const char* bus, nvmlDevice_t* into) {
  return by_text(which, bus, into, [&](const device& on) {
    return behind_domain(bus) == behind_domain(bus_text(on));
  });
}

}  // namespace

nvmlReturn_t nvmlDeviceGetCount(unsigned* count) {
  return count_of(call::nvmlDeviceGetCount_, count);
}
nvmlReturn_t nvmlDeviceGetCount_v2(unsigned* count) {
  return count_of(call::nvmlDeviceGetCount_v2_, count);
}
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t* device) {
  return by_index(call::nvmlDeviceGetHandleByIndex_, index, device);
}
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t* device) {
  return by_index(call::nvmlDeviceGetHandleByIndex_v2_, index, device);
}
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* into) {
  return by_text(call::nvmlDeviceGetHandleByUUID_, uuid, into,
                 [&](const device& on) { return card_identifier(on.place) == uuid; });
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char* bus, nvmlDevice_t* device) {
  return by_bus(call::nvmlDeviceGetHandleByPciBusId_, bus, device);
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus, nvmlDevice_t* device) {
  return by_bus(call::nvmlDeviceGetHandleByPciBusId_v2_, bus, device);
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t handle, unsigned* index) {
  return answer_about(call::nvmlDeviceGetIndex_, handle, [&](const device& on) {
    return put(index, static_cast<unsigned>(on.place));
  });
}
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t handle, char* text, unsigned length) {
  return answer_about(call::nvmlDeviceGetName_, handle,
                      [&](const device& on) { return put_text(on.profile.name, text, length); });
}
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t handle, char* text, unsigned length) {
  return answer_about(call::nvmlDeviceGetUUID_, handle, [&](const device& on) {
    return put_text(card_identifier(on.place), text, length);
  });
}
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t handle, nvmlPciInfo_t* info) {
  return answer_about(call::nvmlDeviceGetPciInfo_v3_, handle, [&](const device& on) {
    if (info == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    std::memset(info, 0, sizeof *info);
    info->bus = static_cast<unsigned>(identity_of(on).bus);
    std::snprintf(info->busIdLegacy, sizeof info->busIdLegacy, "0000:%02X:00.0", info->bus & 255u);
    std::snprintf(info->busId, sizeof info->busId, "00000000:%02X:00.0", info->bus & 255u);
    return NVML_SUCCESS;
  });
}
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t handle, int* major, int* minor) {
  return answer_about(call::nvmlDeviceGetCudaComputeCapability_, handle, [&](const device& on) {
    if (major == nullptr || minor == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    *major = on.profile.major;
    *minor = on.profile.minor;
    return NVML_SUCCESS;
  });
}

// Of what no emulated card has.
nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t handle, unsigned*, unsigned*) {
  return answer_about(call::nvmlDeviceGetMigMode_, handle,
                      [](const device&) { return NVML_ERROR_NOT_SUPPORTED; });
}
nvmlReturn_t nvmlDeviceGetGpuFabricInfo(nvmlDevice_t handle, void*) {
  return answer_about(call::nvmlDeviceGetGpuFabricInfo_, handle,
                      [](const device&) { return NVML_ERROR_NOT_SUPPORTED; });
}
nvmlReturn_t nvmlDeviceGetGpuFabricInfoV(nvmlDevice_t handle, void*) {
  return answer_about(call::nvmlDeviceGetGpuFabricInfoV_, handle,
                      [](const device&) { return NVML_ERROR_NOT_SUPPORTED; });
}
nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t handle, unsigned, int*) {
  return answer_about(call::nvmlDeviceGetNvLinkRemoteDeviceType_, handle,
                      [](const device&) { return NVML_ERROR_NOT_SUPPORTED; });
}
nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t handle, unsigned, nvmlPciInfo_t*) {
  return answer_about(call::nvmlDeviceGetNvLinkRemotePciInfo_v2_, handle,
                      [](const device&) { return NVML_ERROR_NOT_SUPPORTED; });
}
