// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Other devices and other processes.
#include "../card/calls.hpp"
#include "answer.hpp"
#include "devices.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return answer(call::cudaDeviceCanAccessPeer_, [&](session& now) {
    if (can == nullptr) return result::invalid_value;
    if (device_of(now.all, device) == nullptr || device_of(now.all, peer) == nullptr) {
      return result::invalid_device;
    }
    *can = device == peer ? 0 : 1;
    return result::success;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return answer_on_device(call::cudaDeviceEnablePeerAccess_, [&](device_session& now) {
    if (flags != 0) return result::invalid_value;
    if (device_of(now.all, peer) == nullptr || peer == now.on.index) return result::invalid_device;
    return now.on.peers.insert(peer).second ? result::success : result::peer_access_already_enabled;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return answer_on_device(call::cudaDeviceDisablePeerAccess_, [&](device_session& now) {
    if (device_of(now.all, peer) == nullptr) return result::invalid_device;
    return now.on.peers.erase(peer) == 1 ? result::success : result::peer_access_not_enabled;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to) {
  return answer(call::cudaDeviceGetP2PAttribute_, [&](session& now) {
    if (value == nullptr) return result::invalid_value;
    if (device_of(now.all, from) == nullptr || device_of(now.all, to) == nullptr || from == to) {
      return result::invalid_device;
    }
    *value = attribute == cudaDevP2PAttrAccessSupported ? 1 : 0;
    return result::success;
  });
}

namespace {

/// Memory of an emulated card is in one process: another cannot open it.
cudaError_t refuse_sharing(call which, const char* what) {
  return answer_on_device(which, [&](device_session&) {
    note_gap(what);
    return result::not_supported;
  });
}

}  // namespace

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) {
  return refuse_sharing(call::cudaIpcGetMemHandle_, "sharing memory with another process");
}
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned) {
  return refuse_sharing(call::cudaIpcOpenMemHandle_, "sharing memory with another process");
}
cudaError_t cudaIpcCloseMemHandle(void*) {
  return refuse_sharing(call::cudaIpcCloseMemHandle_, "sharing memory with another process");
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) {
  return refuse_sharing(call::cudaIpcGetEventHandle_, "sharing an event with another process");
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) {
  return refuse_sharing(call::cudaIpcOpenEventHandle_, "sharing an event with another process");
}
