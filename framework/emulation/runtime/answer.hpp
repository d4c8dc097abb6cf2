// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// How every call begins and ends: counted, refused where calls are not permitted, done with the
// card locked, its error kept for the thread.
#include "../abi/runtime_calls.hpp"
#include "../card/capture.hpp"
#include "../library/table.hpp"

namespace headroom::emulation::runtime {

using library::call;
using library::count;
using library::refusal;

/// What a call works on: the card is locked.
struct session {
  card& all;
  card_lock& lock;
  thread_state& me;
};
/// The same with the thread's current device, whose context exists.
struct device_session {
  card& all;
  card_lock& lock;
  thread_state& me;
  device& on;
};

/// The error, kept for cudaGetLastError.
inline cudaError_t keep(thread_state& me, result answer) {
  if (answer != result::success) me.last = answer;
  return static_cast<cudaError_t>(answer);
}

/// For calls that need no device. @param body  (session&) -> result
template <class Body>
cudaError_t answer(call which, Body body) {
  count(which);
  thread_state& me = this_thread();
  result refused = refusal(me, which);
  if (refused != result::success) return keep(me, refused);
  card_lock lock(card_mutex());
  session now{card::get(), lock, me};
  return keep(me, body(now));
}

/// For calls on the current device. A sticky error comes before anything else.
/// @param body  (device_session&) -> result
template <class Body>
cudaError_t answer_on_device(call which, Body body) {
  return answer(which, [&](session& now) {
    device* on = current_device(now.all, now.me);
    if (on == nullptr) return result::out_of_memory;
    if (on->fault != result::success) return on->fault;
    device_session with_device{now.all, now.lock, now.me, *on};
    return body(with_device);
  });
}

/// For calls on the current device that a capture does not allow, as the thread's mode has it.
template <class Body>
cudaError_t answer_unsafe(call which, Body body) {
  return answer_on_device(which, [&](device_session& now) {
    const result refused = refuse_unsafe(now.all, now.me);
    return refused == result::success ? body(now) : refused;
  });
}

/// For calls on a stream. @param body  (device_session&, stream&) -> result
template <class Body>
cudaError_t answer_on_stream(call which, cudaStream_t handle, Body body) {
  return answer_on_device(which, [&](device_session& now) {
    stream* on = stream_of(now.all, now.me, now.on, handle);
    if (on == nullptr) return result::invalid_handle;
    if (on->on->fault != result::success) return on->on->fault;
    const result refused = refuse_legacy(now.all, *on);
    if (refused != result::success) return refused;
    return body(now, *on);
  });
}

inline address number(const void* at) { return reinterpret_cast<address>(at); }
inline void* pointer(address at) { return reinterpret_cast<void*>(at); }

}  // namespace headroom::emulation::runtime
