// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// How every call of the driver begins and ends. Unlike the runtime, it keeps no last error, and a
// thread has no device before it has a current context.
#include "../abi/driver_calls.hpp"
#include "../library/answer.hpp"

namespace headroom::emulation::driver {

using library::call;
using library::count;
using library::session;
using context_session = library::device_session;

/// The device of the thread's current context, or null.
device* current(card& all, const thread_state& me);

template <class Body>
CUresult answer(call which, Body body) {
  return static_cast<CUresult>(library::run_locked(which, body));
}

/// For calls in the current context. @param body  (context_session&) -> result
template <class Body>
CUresult answer_in_context(call which, Body body) {
  return answer(which, [&](session& now) {
    return library::run_on(now, current(now.all, now.me), result::invalid_context, body);
  });
}

/// @param body  (context_session&, stream&) -> result
template <class Body>
CUresult answer_on_stream(call which, CUstream handle, Body body) {
  return answer_in_context(which, [&](context_session& now) {
    return library::run_on_stream(now, handle, [&](stream& on) { return body(now, on); });
  });
}

/// @param body  (session&, device&) -> result
template <class Body>
CUresult answer_about_device(call which, CUdevice device, Body body) {
  return answer(which, [&](session& now) {
    if (device < 0 || device >= now.all.visible) {
      return result::invalid_device;
    }
    return body(now, *now.all.devices[static_cast<std::size_t>(device)]);
  });
}

}  // namespace headroom::emulation::driver
