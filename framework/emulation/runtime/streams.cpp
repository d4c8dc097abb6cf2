// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/events.hpp"
#include "../card/pool.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

constexpr int greatest_priority = -5;

cudaError_t create(call which, cudaStream_t* handle, unsigned flags, int priority) {
  return answer_on_device(which, [&](device_session& now) {
    if (handle == nullptr || flags > cudaStreamNonBlocking) return result::invalid_value;
    const int kept = priority > 0 ? 0 : priority < greatest_priority ? greatest_priority : priority;
    *handle = reinterpret_cast<cudaStream_t>(create_stream(now.all, now.on, flags, kept));
    return result::success;
  });
}

template <class Value, class Read>
cudaError_t read_from(call which, cudaStream_t handle, Value* into, Read read) {
  return answer_on_stream(which, handle, [&](device_session&, const stream& on) {
    if (into == nullptr) return result::invalid_value;
    *into = read(on);
    return result::success;
  });
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return create(call::cudaStreamCreate_, stream, 0, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return create(call::cudaStreamCreateWithFlags_, stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return create(call::cudaStreamCreateWithPriority_, stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return answer_on_device(call::cudaStreamDestroy_, [&](device_session& now) {
    const auto found = now.all.streams.find(handle);
    if (found == now.all.streams.end()) return result::invalid_handle;
    destroy_stream(now.all, *found->second);
    return result::success;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return answer_on_stream(call::cudaStreamSynchronize_, handle,
                          [&](device_session& now, stream& on) {
                            const result refused = refuse_in_capture(on);
                            if (refused != result::success) return refused;
                            wait_for(now.all, now.lock, end_of(now.all, now.lock, on));
                            trim_pools(now.all, *on.on);
                            return on.on->fault;
                          });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return answer_on_stream(call::cudaStreamQuery_, handle, [&](device_session& now, stream& on) {
    const result refused = refuse_in_capture(on);
    if (refused != result::success) return refused;
    const bool passed = poll(now.all, now.lock, now.me, end_of(now.all, now.lock, on));
    if (on.on->fault != result::success) return on.on->fault;
    return passed ? result::success : result::not_ready;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t awaited, unsigned flags) {
  return answer_on_stream(call::cudaStreamWaitEvent_, handle, [&](device_session& now, stream& on) {
    const event* of = event_of(now.all, awaited);
    if (of == nullptr) return result::invalid_handle;
    if (flags > 1) return result::invalid_value;
    return wait_in(now.all, now.lock, on, *of);
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return read_from(call::cudaStreamGetPriority_, handle, priority,
                   [](const stream& on) { return on.priority; });
}
cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
  return read_from(call::cudaStreamGetFlags_, handle, flags,
                   [](const stream& on) { return on.flags; });
}
cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return read_from(call::cudaStreamGetId_, handle, id, [](const stream& on) { return on.id; });
}
cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return read_from(call::cudaStreamGetDevice_, handle, device,
                   [](const stream& on) { return on.on->index; });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  return answer_on_stream(call::cudaLaunchHostFunc_, handle, [&](device_session& now, stream& on) {
    if (function == nullptr) return result::invalid_value;
    return launch_host(now.all, now.lock, on, function, data);
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void* data,
                                  unsigned flags) {
  return answer_on_stream(call::cudaStreamAddCallback_, handle,
                          [&](device_session& now, stream& on) {
                            if (function == nullptr || flags != 0) return result::invalid_value;
                            // Unlike a host function, it is called after a failure too, and told of
                            // it.
                            enqueue(now.all, now.lock, on,
                                    {[function, data, handle, of = on.on] {
                                       function(handle, static_cast<cudaError_t>(of->fault), data);
                                       return result::success;
                                     },
                                     true, 3});
                            return result::success;
                          });
}
