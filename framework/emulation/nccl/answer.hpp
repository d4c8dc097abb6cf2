// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// How every call of NCCL begins and ends.
#include "../library/table.hpp"
#include "communicator.hpp"

namespace headroom::emulation::nccl {

using library::call;
using library::count;

/// What a call works on: the card is locked.
struct session {
  card& all;
  card_lock& lock;
  thread_state& me;
};

/// A call that fails between ncclGroupStart and ncclGroupEnd fails the thread's group.
void fail_group(ncclResult_t how);

/// @param body  (session&) -> ncclResult_t
template <class Body>
ncclResult_t answer(call which, Body body) {
  count(which);
  if (planned_faults.load(std::memory_order_relaxed) > 0) {
    // A planned fault has a number of the library's own.
    const result planned =
        next_fault(library::this_library().modelled[static_cast<unsigned>(which)]);
    if (planned != result::success) {
      fail_group(static_cast<ncclResult_t>(planned));
      return static_cast<ncclResult_t>(planned);
    }
  }
  thread_state& me = this_thread();
  if (me.in_host_code) return ncclInvalidUsage;
  if (library::forked_after_use.load(std::memory_order_relaxed)) return ncclUnhandledCudaError;
  card_lock lock(card_mutex());
  session now{card::get(), lock, me};
  return body(now);
}

/// @param body  (session&, const std::shared_ptr<communicator>&) -> ncclResult_t
template <class Body>
ncclResult_t answer_about(call which, ncclComm_t handle, Body body) {
  return answer(which, [&](session& now) {
    const std::shared_ptr<communicator> of = find(handle);
    return of == nullptr ? fail(ncclInvalidArgument, "no such communicator") : body(now, of);
  });
}

}  // namespace headroom::emulation::nccl
