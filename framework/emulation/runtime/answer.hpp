// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// How every call begins and ends: counted, refused where calls are not permitted, done with the
// card locked, its error kept for the thread.
#include <atomic>
#include <cstdint>

#include "../abi/runtime_calls.hpp"
#include "../card/card.hpp"

namespace headroom::emulation::runtime {

enum class call : unsigned {
#define HEADROOM_CALL(name, family, what) name##_,
#include "calls_of_major.inc"
  count_
};

extern std::atomic<std::uint64_t> call_counts[static_cast<unsigned>(call::count_)];

inline void count(call which) {
  call_counts[static_cast<unsigned>(which)].fetch_add(1, std::memory_order_relaxed);
}

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

/// Set when this is the child of a process that used the card before it forked.
extern std::atomic<bool> forked_after_use;

/// @return why the thread may make no call now
inline result refusal(const thread_state& me) {
  if (me.in_host_code) return result::not_permitted;
  if (forked_after_use.load(std::memory_order_relaxed)) return result::initialization_error;
  return result::success;
}

/// For calls that need no device. @param body  (session&) -> result
template <class Body>
cudaError_t answer(call which, Body body) {
  count(which);
  thread_state& me = this_thread();
  result refused = refusal(me);
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

/// For calls on a stream. @param body  (device_session&, stream&) -> result
template <class Body>
cudaError_t answer_on_stream(call which, cudaStream_t handle, Body body) {
  return answer_on_device(which, [&](device_session& now) {
    stream* on = stream_of(now.all, now.me, now.on, handle);
    if (on == nullptr) return result::invalid_handle;
    if (on->on->fault != result::success) return on->on->fault;
    return body(now, *on);
  });
}

inline address number(const void* at) { return reinterpret_cast<address>(at); }
inline void* pointer(address at) { return reinterpret_cast<void*>(at); }

}  // namespace headroom::emulation::runtime
