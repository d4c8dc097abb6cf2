// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// How every call of the driver begins and ends. Unlike the runtime, it keeps no last error, and a
// thread has no device before it has a current context.
#include "../abi/driver_calls.hpp"
#include "../card/card.hpp"
#include "../library/table.hpp"

namespace headroom::emulation::driver {

using library::call;
using library::count;
using library::refusal;

struct session {
  card& all;
  card_lock& lock;
  thread_state& me;
};
struct context_session {
  card& all;
  card_lock& lock;
  thread_state& me;
  device& on;
};

/// The device of the thread's current context, or null.
device* current(card& all, const thread_state& me);

template <class Body>
CUresult answer(call which, Body body) {
  count(which);
  thread_state& me = this_thread();
  result verdict = refusal(me, which);
  if (verdict == result::success) {
    card_lock lock(card_mutex());
    session now{card::get(), lock, me};
    verdict = body(now);
  }
  return static_cast<CUresult>(verdict);
}

/// For calls in the current context. @param body  (context_session&) -> result
template <class Body>
CUresult answer_in_context(call which, Body body) {
  return answer(which, [&](session& now) {
    device* on = current(now.all, now.me);
    if (on == nullptr) return result::invalid_context;
    if (on->fault != result::success) return on->fault;
    context_session in_context{now.all, now.lock, now.me, *on};
    return body(in_context);
  });
}

/// @param body  (context_session&, stream&) -> result
template <class Body>
CUresult answer_on_stream(call which, CUstream handle, Body body) {
  return answer_in_context(which, [&](context_session& now) {
    stream* on = stream_of(now.all, now.me, now.on, handle);
    if (on == nullptr) return result::invalid_handle;
    if (on->on->fault != result::success) return on->on->fault;
    return body(now, *on);
  });
}

/// @param body  (session&, device&) -> result
template <class Body>
CUresult answer_about_device(call which, CUdevice device, Body body) {
  return answer(which, [&](session& now) {
    if (device < 0 || device >= static_cast<int>(now.all.devices.size())) {
      return result::invalid_device;
    }
    return body(now, *now.all.devices[static_cast<std::size_t>(device)]);
  });
}

}  // namespace headroom::emulation::driver
