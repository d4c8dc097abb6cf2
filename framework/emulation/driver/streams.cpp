// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/capture.hpp"
#include "../card/events.hpp"
#include "../card/pool.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

CUresult create(call which, CUstream* handle, unsigned flags, int priority) {
  return answer_in_context(which, [&](context_session& now) {
    if (handle == nullptr || flags > 1) return result::invalid_value;
    *handle = reinterpret_cast<CUstream>(create_stream(now.all, now.on, flags, priority));
    return result::success;
  });
}

/// @param body  (context_session&, event&) -> result
template <class Body>
CUresult about_event(call which, CUevent handle, Body body) {
  return answer_in_context(which, [&](context_session& now) {
    event* of = event_of(now.all, handle);
    return of == nullptr ? result::invalid_handle : body(now, *of);
  });
}

}  // namespace

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return create(call::cuStreamCreate_, stream, flags, 0);
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return create(call::cuStreamCreateWithPriority_, stream, flags, priority);
}

CUresult cuStreamDestroy_v2(CUstream handle) {
  return answer_in_context(call::cuStreamDestroy_v2_, [&](context_session& now) {
    const auto found = now.all.streams.find(handle);
    if (found == now.all.streams.end()) return result::invalid_handle;
    destroy_stream(now.all, *found->second);
    return result::success;
  });
}

CUresult cuStreamSynchronize(CUstream handle) {
  return answer_on_stream(call::cuStreamSynchronize_, handle, [](context_session& now, stream& on) {
    wait_for(now.all, now.lock, end_of(now.all, now.lock, on));
    trim_pools(now.all, *on.on);
    return on.on->fault;
  });
}

CUresult cuStreamQuery(CUstream handle) {
  return answer_on_stream(call::cuStreamQuery_, handle, [](context_session& now, stream& on) {
    const bool passed = poll(now.all, now.lock, now.me, end_of(now.all, now.lock, on));
    if (on.on->fault != result::success) return on.on->fault;
    return passed ? result::success : result::not_ready;
  });
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent awaited, unsigned flags) {
  return answer_on_stream(call::cuStreamWaitEvent_, handle, [&](context_session& now, stream& on) {
    const event* of = event_of(now.all, awaited);
    if (of == nullptr) return result::invalid_handle;
    if (flags > 1) return result::invalid_value;
    return wait_in(now.all, now.lock, on, *of);
  });
}

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void* data) {
  return answer_on_stream(call::cuLaunchHostFunc_, handle, [&](context_session& now, stream& on) {
    if (function == nullptr) return result::invalid_value;
    return launch_host(now.all, now.lock, on, function, data);
  });
}

CUresult cuEventCreate(CUevent* handle, unsigned flags) {
  return answer_in_context(call::cuEventCreate_, [&](context_session& now) {
    if (handle == nullptr || flags > 7) return result::invalid_value;
    *handle = reinterpret_cast<CUevent>(create_event(now.all, now.on, flags));
    return result::success;
  });
}

CUresult cuEventDestroy_v2(CUevent handle) {
  return about_event(call::cuEventDestroy_v2_, handle, [](context_session& now, event& of) {
    destroy_event(now.all, of);
    return result::success;
  });
}

CUresult cuEventRecord(CUevent handle, CUstream where) {
  return answer_on_stream(call::cuEventRecord_, where, [&](context_session& now, stream& on) {
    event* of = event_of(now.all, handle);
    if (of == nullptr || of->device != on.on->index) return result::invalid_handle;
    return record(now.all, now.lock, *of, on);
  });
}

CUresult cuEventQuery(CUevent handle) {
  return about_event(call::cuEventQuery_, handle, [](context_session& now, const event& of) {
    return query(now.all, now.lock, now.me, of);
  });
}

CUresult cuEventSynchronize(CUevent handle) {
  return about_event(call::cuEventSynchronize_, handle, [](context_session& now, const event& of) {
    return synchronize(now.all, now.lock, of);
  });
}

namespace {

CUresult time_between(call which, float* milliseconds, CUevent begin, CUevent end) {
  return answer_in_context(which, [&](context_session& now) {
    const event* first = event_of(now.all, begin);
    const event* last = event_of(now.all, end);
    if (milliseconds == nullptr) return result::invalid_value;
    if (first == nullptr || last == nullptr) return result::invalid_handle;
    return elapsed(*first, *last, *milliseconds);
  });
}

}  // namespace

CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  return time_between(call::cuEventElapsedTime_, milliseconds, begin, end);
}
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent begin, CUevent end) {
  return time_between(call::cuEventElapsedTime_v2_, milliseconds, begin, end);
}

CUresult cuStreamGetCtx(CUstream handle, CUcontext* context) {
  return answer_on_stream(call::cuStreamGetCtx_, handle, [&](context_session&, stream& on) {
    if (context == nullptr) return result::invalid_value;
    *context = reinterpret_cast<CUcontext>(on.on);
    return result::success;
  });
}

CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* status) {
  return answer_on_stream(
      call::cuStreamIsCapturing_, handle, [&](context_session& now, const stream& on) {
        if (status == nullptr) return result::invalid_value;
        const result refused = refuse_legacy(now.all, on);
        if (refused != result::success) return refused;
        *status = static_cast<CUstreamCaptureStatus>(
            on.capturing == nullptr ? capture_status::none : on.capturing->status());
        return result::success;
      });
}
