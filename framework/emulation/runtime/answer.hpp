// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// How every call begins and ends: as in the other libraries, its error kept for the thread.
#include "../abi/runtime_calls.hpp"
#include "../card/capture.hpp"
#include "../library/answer.hpp"

namespace headroom::emulation::runtime {

using library::call;
using library::count;
using library::device_session;
using library::session;

/// The error, kept for cudaGetLastError.
inline cudaError_t keep(thread_state& me, result answer) {
  if (answer != result::success) me.last = answer;
  return static_cast<cudaError_t>(answer);
}

/// For calls that need no device. @param body  (session&) -> result
template <class Body>
cudaError_t answer(call which, Body body) {
  return keep(this_thread(), library::run_locked(which, body));
}

/// For calls on the current device. A sticky error comes before anything else.
/// @param body  (device_session&) -> result
template <class Body>
cudaError_t answer_on_device(call which, Body body) {
  return answer(which, [&](session& now) {
    return library::run_on(now, current_device(now.all, now.me), result::out_of_memory, body);
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
    return library::run_on_stream(now, handle, [&](stream& on) {
      const result refused = refuse_legacy(now.all, on);
      return refused == result::success ? body(now, on) : refused;
    });
  });
}

inline address number(const void* at) { return reinterpret_cast<address>(at); }
inline void* pointer(address at) { return reinterpret_cast<void*>(at); }

}  // namespace headroom::emulation::runtime
