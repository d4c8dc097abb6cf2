// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/calls.hpp"
#include "../card/memory.hpp"
#include "../card/queue.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

cudaError_t take_host_into(call which, void** at, std::size_t size, unsigned flags) {
  return answer_unsafe(which, [&](device_session& now) {
    if (at == nullptr) return result::invalid_value;
    address taken = 0;
    const result answer = take_host(now.all, now.on, size, flags, taken);
    if (answer == result::success) *at = pointer(taken);
    return answer;
  });
}

/// Advice and prefetching: checked, and without effect, as nothing migrates here.
template <class Session>
result accept_managed(Session& now, const void* at, std::size_t size) {
  const block* holder = now.all.blocks.find(number(at));
  if (size == 0 || holder == nullptr || holder->kind != block_kind::managed) {
    return result::invalid_value;
  }
  return size <= holder->end() - number(at) ? result::success : result::invalid_value;
}

cudaError_t advise(call which, const void* at, std::size_t size) {
  return answer_on_device(which,
                          [&](device_session& now) { return accept_managed(now, at, size); });
}

cudaError_t prefetch(call which, const void* at, std::size_t size, cudaStream_t handle) {
  return answer_on_stream(which, handle, [&](device_session& now, stream& on) {
    const result verdict = accept_managed(now, at, size);
    if (verdict == result::success) enqueue(now.all, now.lock, on, {});
    return verdict;
  });
}

}  // namespace

cudaError_t cudaHostAlloc(void** at, std::size_t size, unsigned flags) {
  return take_host_into(call::cudaHostAlloc_, at, size, flags);
}
cudaError_t cudaMallocHost(void** at, std::size_t size) {
  return take_host_into(call::cudaMallocHost_, at, size, 0);
}

cudaError_t cudaFreeHost(void* at) {
  return answer_unsafe(call::cudaFreeHost_, [&](device_session& now) {
    return give_back_host(now.all, now.lock, number(at));
  });
}

cudaError_t cudaHostRegister(void* at, std::size_t size, unsigned flags) {
  return answer_unsafe(call::cudaHostRegister_, [&](device_session& now) {
    return register_host(now.all, now.on, number(at), size, flags);
  });
}
cudaError_t cudaHostUnregister(void* at) {
  return answer_unsafe(call::cudaHostUnregister_, [&](device_session& now) {
    return unregister_host(now.all, now.lock, number(at));
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return answer_on_device(call::cudaHostGetDevicePointer_, [&](device_session& now) {
    const block* holder = now.all.blocks.find(number(host));
    if (device == nullptr || flags != 0 || holder == nullptr || !holder->on_host()) {
      return result::invalid_value;
    }
    *device = host;
    return result::success;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return answer_on_device(call::cudaHostGetFlags_, [&](device_session& now) {
    const block* holder = now.all.blocks.find(number(host));
    if (flags == nullptr || holder == nullptr || holder->kind != block_kind::pinned) {
      return result::invalid_value;
    }
    // All host memory is mapped: there is one address space.
    *flags = holder->flags | cudaHostAllocMapped;
    return result::success;
  });
}

cudaError_t cudaMallocManaged(void** at, std::size_t size, unsigned flags) {
  return answer_unsafe(call::cudaMallocManaged_, [&](device_session& now) {
    if (at == nullptr) return result::invalid_value;
    address taken = 0;
    const result answer = take_managed(now.all, now.on, size, flags, taken);
    if (answer == result::success) *at = pointer(taken);
    if (answer == result::success) note_uncounted("libcudart", "cudaMallocManaged");
    return answer;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* at, std::size_t, unsigned flags) {
  return answer_on_stream(call::cudaStreamAttachMemAsync_, stream,
                          [&](device_session& now, headroom::emulation::stream&) {
                            const block* holder = now.all.blocks.find(number(at));
                            const bool known = flags == cudaMemAttachGlobal ||
                                               flags == cudaMemAttachHost ||
                                               flags == cudaMemAttachSingle;
                            return known && holder != nullptr && holder->kind == block_kind::managed
                                       ? result::success
                                       : result::invalid_value;
                          });
}

#if HEADROOM_ABI_MAJOR >= 13
cudaError_t cudaMemAdvise(const void* at, std::size_t size, cudaMemoryAdvise, cudaMemLocation) {
  return advise(call::cudaMemAdvise_, at, size);
}
cudaError_t cudaMemPrefetchAsync(const void* at, std::size_t size, cudaMemLocation, unsigned,
                                 cudaStream_t stream) {
  return prefetch(call::cudaMemPrefetchAsync_, at, size, stream);
}
#else
cudaError_t cudaMemAdvise(const void* at, std::size_t size, cudaMemoryAdvise, int) {
  return advise(call::cudaMemAdvise_, at, size);
}
cudaError_t cudaMemAdvise_v2(const void* at, std::size_t size, cudaMemoryAdvise, cudaMemLocation) {
  return advise(call::cudaMemAdvise_v2_, at, size);
}
cudaError_t cudaMemPrefetchAsync(const void* at, std::size_t size, int, cudaStream_t stream) {
  return prefetch(call::cudaMemPrefetchAsync_, at, size, stream);
}
cudaError_t cudaMemPrefetchAsync_v2(const void* at, std::size_t size, cudaMemLocation, unsigned,
                                    cudaStream_t stream) {
  return prefetch(call::cudaMemPrefetchAsync_v2_, at, size, stream);
}
#endif
