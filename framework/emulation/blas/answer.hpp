// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// How every call of cuBLAS and cuBLASLt begins and ends. Unlike the runtime, they keep no last
// error.
#include "../abi/blas_types.hpp"
#include "../card/blas_handles.hpp"
#include "../card/capture.hpp"
#include "../card/queue.hpp"
#include "../library/answer.hpp"

namespace headroom::emulation::blas {

using library::call;
using library::count;

using library::session;

inline cublasStatus_t status_of(result answer) {
  if (answer == result::success) return CUBLAS_STATUS_SUCCESS;
  return answer == result::out_of_memory ? CUBLAS_STATUS_ALLOC_FAILED
                                         : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// @param body  (session&) -> cublasStatus_t
template <class Body>
cublasStatus_t answer(call which, Body body) {
  count(which);
  if (const result planned = library::planned_fault(which); planned != result::success) {
    return static_cast<cublasStatus_t>(planned);
  }
  thread_state& me = this_thread();
  if (me.in_host_code) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (library::forked_after_use.load(std::memory_order_relaxed)) {
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  card_lock lock(card_mutex());
  session now{card::get(), lock, me};
  return body(now);
}

/// Makes a handle of the thread's device.
template <class Handle>
cublasStatus_t create(call which, Handle* handle) {
  return answer(which, [&](session& now) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    device* const on = current_device(now.all, now.me);
    if (on == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
    if (on->fault != result::success) return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = reinterpret_cast<Handle>(&create_blas_handle(*on));
    return CUBLAS_STATUS_SUCCESS;
  });
}

/// @param body  (session&, blas_handle&) -> cublasStatus_t
template <class Body>
cublasStatus_t answer_about(call which, const void* handle, Body body) {
  return answer(which, [&](session& now) {
    blas_handle* const known = find_blas_handle(handle);
    return known == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : body(now, *known);
  });
}

/// For calls that queue work.
/// @param work  () -> operation
template <class Work>
cublasStatus_t enqueue_on(session& now, const blas_handle& of, const void* stream_handle,
                          Work work) {
  if (of.on->fault != result::success) return CUBLAS_STATUS_EXECUTION_FAILED;
  stream* const on = stream_of(now.all, now.me, *of.on, stream_handle);
  if (on == nullptr) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (refuse_legacy(now.all, *on) != result::success) return CUBLAS_STATUS_EXECUTION_FAILED;
  enqueue(now.all, now.lock, *on, work());
  return status_of(on->on->fault);
}

/// A kernel that is left out: it changes nothing, and has its place in the stream and in graphs.
inline operation left_out() { return {{}, false, 0}; }

}  // namespace headroom::emulation::blas
