// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/events.hpp"

#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

constexpr unsigned known_flags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

cudaError_t create(call which, cudaEvent_t* handle, unsigned flags) {
  return answer_on_device(which, [&](device_session& now) {
    if (handle == nullptr || (flags & ~known_flags) != 0) return result::invalid_value;
    if ((flags & cudaEventInterprocess) != 0 && (flags & cudaEventDisableTiming) == 0) {
      return result::invalid_value;
    }
    *handle = reinterpret_cast<cudaEvent_t>(create_event(now.all, now.on, flags));
    return result::success;
  });
}

cudaError_t record_on(call which, cudaEvent_t handle, cudaStream_t where) {
  return answer_on_stream(which, where, [&](device_session& now, stream& on) {
    event* what = event_of(now.all, handle);
    if (what == nullptr) return result::invalid_handle;
    if (what->device != on.on->index) return result::invalid_handle;
    return record(now.all, now.lock, *what, on);
  });
}

}  // namespace

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create(call::cudaEventCreate_, event, 0); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return create(call::cudaEventCreateWithFlags_, event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return answer(call::cudaEventDestroy_, [&](session& now) {
    event* which = event_of(now.all, handle);
    if (which == nullptr) return result::invalid_handle;
    destroy_event(now.all, *which);
    return result::success;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return record_on(call::cudaEventRecord_, event, stream);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags > cudaEventRecordExternal) {
    return answer(call::cudaEventRecordWithFlags_, [](session&) { return result::invalid_value; });
  }
  return record_on(call::cudaEventRecordWithFlags_, event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return answer_unsafe(call::cudaEventQuery_, [&](device_session& now) {
    const event* which = event_of(now.all, handle);
    if (which == nullptr) return result::invalid_handle;
    return query(now.all, now.lock, now.me, *which);
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return answer_on_device(call::cudaEventSynchronize_, [&](device_session& now) {
    const event* which = event_of(now.all, handle);
    if (which == nullptr) return result::invalid_handle;
    return synchronize(now.all, now.lock, *which);
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return answer_on_device(call::cudaEventElapsedTime_, [&](device_session& now) {
    const event* first = event_of(now.all, begin);
    const event* last = event_of(now.all, end);
    if (milliseconds == nullptr) return result::invalid_value;
    if (first == nullptr || last == nullptr) return result::invalid_handle;
    return elapsed(*first, *last, *milliseconds);
  });
}
