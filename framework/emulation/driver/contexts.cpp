// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// A device has one context, its primary one. A thread's current context is the top of its stack, or
// else that of the runtime's device once that is in use.
#include "../card/pool.hpp"
#include "../card/reset.hpp"
#include "answer.hpp"

namespace headroom::emulation::driver {

device* current(card& all, const thread_state& me) {
  const int number = me.contexts.empty() ? me.device : me.contexts.back();
  if (number < 0) return nullptr;
  device* on = all.devices[static_cast<std::size_t>(number)].get();
  return on->active ? on : nullptr;
}

}  // namespace headroom::emulation::driver

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

CUcontext context_of(device* on) { return reinterpret_cast<CUcontext>(on); }

/// @return -1 for the null context, -2 for what is no context
int device_of(const card& all, CUcontext context) {
  if (context == nullptr) return -1;
  for (const auto& each : all.devices) {
    if (context_of(each.get()) == context) return each->index;
  }
  return -2;
}

void follow(thread_state& me) {
  if (!me.contexts.empty() && me.contexts.back() >= 0) me.device = me.contexts.back();
}

}  // namespace

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return answer_about_device(call::cuDevicePrimaryCtxRetain_, device,
                             [&](session& now, headroom::emulation::device& on) {
                               if (context == nullptr) return result::invalid_value;
                               if (!activate(now.all, on)) return result::out_of_memory;
                               ++on.context_count;
                               *context = context_of(&on);
                               return result::success;
                             });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return answer_about_device(call::cuDevicePrimaryCtxRelease_v2_, device,
                             [](session& now, headroom::emulation::device& on) {
                               if (on.context_count == 0) return result::invalid_context;
                               if (--on.context_count == 0) reset(now.all, now.lock, on);
                               return result::success;
                             });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return answer_about_device(call::cuDevicePrimaryCtxGetState_, device,
                             [&](session&, const headroom::emulation::device& on) {
                               if (flags != nullptr) *flags = on.flags;
                               if (active != nullptr) *active = on.active ? 1 : 0;
                               return result::success;
                             });
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return answer_about_device(call::cuDevicePrimaryCtxReset_v2_, device,
                             [](session& now, headroom::emulation::device& on) {
                               reset(now.all, now.lock, on);
                               return result::success;
                             });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return answer(call::cuCtxGetCurrent_, [&](session& now) {
    if (context == nullptr) return result::invalid_value;
    *context = context_of(current(now.all, now.me));
    return result::success;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return answer(call::cuCtxSetCurrent_, [&](session& now) {
    const int number = device_of(now.all, context);
    if (number == -2) return result::invalid_context;
    if (!now.me.contexts.empty()) now.me.contexts.pop_back();
    now.me.contexts.push_back(number);
    follow(now.me);
    return result::success;
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return answer(call::cuCtxPushCurrent_v2_, [&](session& now) {
    const int number = device_of(now.all, context);
    if (number < 0) return result::invalid_context;
    now.me.contexts.push_back(number);
    follow(now.me);
    return result::success;
  });
}

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return answer(call::cuCtxPopCurrent_v2_, [&](session& now) {
    if (now.me.contexts.empty()) return result::invalid_context;
    if (context != nullptr) *context = context_of(current(now.all, now.me));
    now.me.contexts.pop_back();
    follow(now.me);
    return result::success;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return answer_in_context(call::cuCtxGetDevice_, [&](context_session& now) {
    if (device == nullptr) return result::invalid_value;
    *device = now.on.index;
    return result::success;
  });
}

CUresult cuCtxSynchronize() {
  return answer_in_context(call::cuCtxSynchronize_, [](context_session& now) {
    wait_for_device(now.all, now.lock, now.on);
    trim_pools(now.all, now.on);
    return now.on.fault;
  });
}

CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return answer_in_context(call::cuCtxGetLimit_, [&](context_session& now) {
    const auto known = now.on.limits.find(static_cast<int>(limit));
    if (value == nullptr) return result::invalid_value;
    if (known == now.on.limits.end()) return result::unsupported_limit;
    *value = known->second;
    return result::success;
  });
}

CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return answer_in_context(call::cuCtxSetLimit_, [&](context_session& now) {
    const auto known = now.on.limits.find(static_cast<int>(limit));
    if (known == now.on.limits.end()) return result::unsupported_limit;
    known->second = value;
    return result::success;
  });
}
