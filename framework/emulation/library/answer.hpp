// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// How every call begins and ends, whatever its library makes of the result.
#include "../card/card.hpp"
#include "table.hpp"

namespace headroom::emulation::library {

/// What a call works on: the card is locked.
struct session {
  card& all;
  card_lock& lock;
  thread_state& me;
};
/// The same with a device whose context exists.
struct device_session {
  card& all;
  card_lock& lock;
  thread_state& me;
  device& on;
};

/// Counted, refused where calls are not permitted, done with the card locked.
/// @param body  (session&) -> result
template <class Body>
result run_locked(call which, Body body) {
  count(which);
  thread_state& me = this_thread();
  const result refused = refusal(me, which);
  if (refused != result::success) return refused;
  card_lock lock(card_mutex());
  session now{card::get(), lock, me};
  if (now.all.visible == 0) return result::no_device;
  return body(now);
}

/// A sticky error comes before anything else.
/// @param on    null: there is no device, which is the result `none`
/// @param body  (device_session&) -> result
template <class Body>
result run_on(session& now, device* on, result none, Body body) {
  if (on == nullptr) return none;
  if (on->fault != result::success) return on->fault;
  device_session with_device{now.all, now.lock, now.me, *on};
  return body(with_device);
}

/// @param body  (stream&) -> result
template <class Body>
result run_on_stream(device_session& now, const void* handle, Body body) {
  stream* on = stream_of(now.all, now.me, now.on, handle);
  if (on == nullptr) return result::invalid_handle;
  if (on->on->fault != result::success) return on->on->fault;
  return body(*on);
}

}  // namespace headroom::emulation::library
