// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <cstring>

#include "../card/attributes.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

result copy_text(const std::string& text, char* into, int length) {
  if (into == nullptr || length <= 0) return result::invalid_value;
  std::strncpy(into, text.c_str(), static_cast<std::size_t>(length) - 1);
  into[length - 1] = '\0';
  return result::success;
}

template <class Value>
result put(Value* into, Value value) {
  if (into == nullptr) return result::invalid_value;
  *into = value;
  return result::success;
}

CUresult uuid_of(call which, CUuuid* uuid, CUdevice device) {
  return answer_about_device(which, device, [&](session&, const headroom::emulation::device& on) {
    if (uuid == nullptr) return result::invalid_value;
    const device_identity identity = identity_of(on);
    std::memcpy(uuid->bytes, identity.uuid, sizeof uuid->bytes);
    return result::success;
  });
}

/// What the driver tells and the runtime does not.
std::optional<int> driver_attribute(int number) {
  switch (number) {
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
      return 1;
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
      return 0;
    default:
      return std::nullopt;
  }
}

}  // namespace

CUresult cuInit(unsigned flags) {
  return answer(call::cuInit_,
                [&](session&) { return flags == 0 ? result::success : result::invalid_value; });
}

CUresult cuDriverGetVersion(int* version) {
  count(call::cuDriverGetVersion_);
  return static_cast<CUresult>(put(version, driver_version));
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  count(call::cuGetErrorName_);
  const result_words* words = words_of(error);
  if (name == nullptr || words == nullptr || *words->driver_name == '\0') {
    if (name != nullptr) *name = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
  }
  *name = words->driver_name;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  count(call::cuGetErrorString_);
  const result_words* words = words_of(error);
  if (text == nullptr || words == nullptr || *words->driver_name == '\0') {
    if (text != nullptr) *text = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
  }
  *text = words->text;
  return CUDA_SUCCESS;
}

CUresult cuLogsRegisterCallback(void (*function)(void*, unsigned, char*, std::size_t), void*,
                                void** handle) {
  count(call::cuLogsRegisterCallback_);
  static char nothing_is_logged;
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (handle != nullptr) *handle = &nothing_is_logged;
  return CUDA_SUCCESS;
}

CUresult cuLogsUnregisterCallback(void*) {
  count(call::cuLogsUnregisterCallback_);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return answer_about_device(
      call::cuDeviceGet_, ordinal,
      [&](session&, const headroom::emulation::device& on) { return put(device, on.index); });
}

CUresult cuDeviceGetCount(int* count) {
  return answer(call::cuDeviceGetCount_, [&](session& now) { return put(count, now.all.visible); });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return answer_about_device(call::cuDeviceGetName_, device,
                             [&](session&, const headroom::emulation::device& on) {
                               return copy_text(on.profile.name, name, length);
                             });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return uuid_of(call::cuDeviceGetUuid_, uuid, device);
}
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return uuid_of(call::cuDeviceGetUuid_v2_, uuid, device);
}

CUresult cuDeviceTotalMem_v2(std::size_t* size, CUdevice device) {
  return answer_about_device(call::cuDeviceTotalMem_v2_, device,
                             [&](session&, const headroom::emulation::device& on) {
                               return put(size, static_cast<std::size_t>(on.memory.capacity()));
                             });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return answer_about_device(call::cuDeviceGetAttribute_, device,
                             [&](session&, const headroom::emulation::device& on) {
                               std::optional<int> known = driver_attribute(attribute);
                               if (!known) known = attribute_of(on, attribute);
                               return known ? put(value, *known) : result::invalid_value;
                             });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return answer_about_device(call::cuDeviceComputeCapability_, device,
                             [&](session&, const headroom::emulation::device& on) {
                               if (major == nullptr || minor == nullptr) {
                                 return result::invalid_value;
                               }
                               *major = on.profile.major;
                               *minor = on.profile.minor;
                               return result::success;
                             });
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return answer_about_device(call::cuDeviceGetPCIBusId_, device,
                             [&](session&, const headroom::emulation::device& on) {
                               return copy_text(bus_text(on), text, length);
                             });
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return answer_about_device(call::cuDeviceCanAccessPeer_, device,
                             [&](session& now, const headroom::emulation::device&) {
                               if (peer < 0 || peer >= now.all.visible) {
                                 return result::invalid_device;
                               }
                               return put(can, device == peer ? 0 : 1);
                             });
}
