// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// How every call of cuDNN begins and ends.
#include <unordered_map>

#include "../abi/dnn_calls.hpp"
#include "../card/capture.hpp"
#include "../card/queue.hpp"
#include "../library/table.hpp"

namespace headroom::emulation::dnn {

using library::call;
using library::count;

/// What cudnnCreate gives. Guarded by card_mutex.
struct handle {
  device* on = nullptr;    ///< current when it was made
  void* stream = nullptr;  ///< of the work
};
/// @return null for what is no live handle
[[nodiscard]] handle* find_handle(const void* which);

/// What a call works on: the card is locked.
struct session {
  card& all;
  card_lock& lock;
  thread_state& me;
};

/// @param body  (session&) -> cudnnStatus_t
template <class Body>
cudnnStatus_t answer(call which, Body body) {
  count(which);
  if (planned_faults.load(std::memory_order_relaxed) > 0) {
    // A planned fault has a number of the library's own.
    const result planned =
        next_fault(library::this_library().modelled[static_cast<unsigned>(which)]);
    if (planned != result::success) return static_cast<cudnnStatus_t>(planned);
  }
  thread_state& me = this_thread();
  if (me.in_host_code) return CUDNN_STATUS_EXECUTION_FAILED;
  if (library::forked_after_use.load(std::memory_order_relaxed)) {
    return CUDNN_STATUS_NOT_INITIALIZED;
  }
  card_lock lock(card_mutex());
  session now{card::get(), lock, me};
  return body(now);
}

/// @param body  (session&, handle&) -> cudnnStatus_t
template <class Body>
cudnnStatus_t answer_about(call which, const void* about, Body body) {
  return answer(which, [&](session& now) {
    handle* const known = find_handle(about);
    return known == nullptr ? CUDNN_STATUS_BAD_PARAM : body(now, *known);
  });
}

/// Queues a kernel that is left out: it changes nothing, and has its place in stream and graphs.
inline cudnnStatus_t leave_out(session& now, const handle& of) {
  if (of.on->fault != result::success) return CUDNN_STATUS_EXECUTION_FAILED;
  stream* const on = stream_of(now.all, now.me, *of.on, of.stream);
  if (on == nullptr || refuse_legacy(now.all, *on) != result::success) {
    return CUDNN_STATUS_EXECUTION_FAILED;
  }
  enqueue(now.all, now.lock, *on, {{}, false, 0});
  return on->on->fault == result::success ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

}  // namespace headroom::emulation::dnn
