// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/pool.hpp"

#include <cstring>

#include "../card/calls.hpp"
#include "answer.hpp"
#include "devices.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::runtime;

namespace {

cudaMemPool_t handle_of(memory_pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

result take_from(device_session& now, stream& on, memory_pool& from, void** at, std::size_t size) {
  if (at == nullptr) return result::invalid_value;
  address taken = 0;
  if (on.capturing != nullptr) {
    const result planned = plan_graph_memory(now.all, *on.on, size, taken);
    if (planned != result::success) return planned;
    on.capturing->add(on, node_kind::take_memory).at = taken;
    *at = pointer(taken);
    return result::success;
  }
  const result answer = from.take(now.lock, on, size, taken);
  if (answer != result::success) return answer;
  enqueue(now.all, now.lock, on, {});
  *at = pointer(taken);
  return answer;
}

/// @param body  (device_session&, memory_pool&) -> result
template <class Body>
cudaError_t about_pool(call which, cudaMemPool_t handle, Body body) {
  return answer_on_device(which, [&](device_session& now) {
    memory_pool* pool = pool_of(now.all, handle);
    return pool == nullptr ? result::invalid_value : body(now, *pool);
  });
}

cudaError_t pool_of_device(call which, cudaMemPool_t* into, int number,
                           memory_pool* device::*member) {
  return answer(which, [&](session& now) {
    device* on = device_of(now.all, number);
    if (on == nullptr) return result::invalid_device;
    if (into == nullptr) return result::invalid_value;
    *into = handle_of(on->*member);
    return result::success;
  });
}

/// A high mark can be set to zero, and to nothing else; it then begins at what is live.
result reset_mark(std::uint64_t& mark, std::uint64_t live, const void* value) {
  std::uint64_t wanted = 0;
  std::memcpy(&wanted, value, sizeof wanted);
  if (wanted != 0) return result::invalid_value;
  mark = live;
  return result::success;
}

}  // namespace

cudaError_t cudaMallocAsync(void** at, std::size_t size, cudaStream_t handle) {
  return answer_on_stream(call::cudaMallocAsync_, handle, [&](device_session& now, stream& on) {
    return take_from(now, on, *on.on->pool, at, size);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** at, std::size_t size, cudaMemPool_t from,
                                    cudaStream_t handle) {
  return answer_on_stream(call::cudaMallocFromPoolAsync_, handle,
                          [&](device_session& now, stream& on) {
                            memory_pool* pool = pool_of(now.all, from);
                            if (pool == nullptr) return result::invalid_value;
                            return take_from(now, on, *pool, at, size);
                          });
}

cudaError_t cudaFreeAsync(void* at, cudaStream_t handle) {
  return answer_on_stream(call::cudaFreeAsync_, handle, [&](device_session& now, stream& on) {
    if (on.capturing != nullptr && now.all.graph_memories.contains(number(at))) {
      on.capturing->add(on, node_kind::give_back_memory).at = number(at);
      return result::success;
    }
    return give_back_in_order(now.all, now.lock, on, number(at));
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return pool_of_device(call::cudaDeviceGetDefaultMemPool_, pool, device,
                        &headroom::emulation::device::default_pool);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return pool_of_device(call::cudaDeviceGetMemPool_, pool, device,
                        &headroom::emulation::device::pool);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return about_pool(call::cudaDeviceSetMemPool_, handle,
                    [&](device_session& now, memory_pool& pool) {
                      if (device_of(now.all, device) != &pool.owner()) return result::invalid_value;
                      pool.owner().pool = &pool;
                      return result::success;
                    });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* wanted) {
  return answer_on_device(call::cudaMemPoolCreate_, [&](device_session& now) {
    if (pool == nullptr || wanted == nullptr || wanted->allocType != cudaMemAllocationTypePinned) {
      return result::invalid_value;
    }
    device* on = device_of(now.all, wanted->location.id);
    if (wanted->location.type != cudaMemLocationTypeDevice ||
        wanted->handleTypes != cudaMemHandleTypeNone) {
      note_gap("cudaMemPoolCreate of host memory, or for other processes");
      return result::not_supported;
    }
    if (on == nullptr) return result::invalid_value;
    *pool = handle_of(create_pool(now.all, *on, wanted->maxSize));
    return result::success;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return about_pool(call::cudaMemPoolDestroy_, handle, [](device_session& now, memory_pool& pool) {
    return destroy_pool(now.all, pool);
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr which, void* value) {
  return about_pool(call::cudaMemPoolGetAttribute_, handle,
                    [&](device_session&, const memory_pool& pool) {
                      if (value == nullptr) return result::invalid_value;
                      const auto put = [&](auto number) {
                        std::memcpy(value, &number, sizeof number);
                        return result::success;
                      };
                      switch (which) {
                        case cudaMemPoolReuseFollowEventDependencies:
                          return put(static_cast<int>(pool.follow_events));
                        case cudaMemPoolReuseAllowOpportunistic:
                          return put(static_cast<int>(pool.opportunistic));
                        case cudaMemPoolReuseAllowInternalDependencies:
                          return put(static_cast<int>(pool.internal_waits));
                        case cudaMemPoolAttrReleaseThreshold:
                          return put(pool.release_threshold);
                        case cudaMemPoolAttrReservedMemCurrent:
                          return put(pool.reserved());
                        case cudaMemPoolAttrReservedMemHigh:
                          return put(pool.reserved_high);
                        case cudaMemPoolAttrUsedMemCurrent:
                          return put(pool.used());
                        case cudaMemPoolAttrUsedMemHigh:
                          return put(pool.used_high);
                        default:
                          return result::invalid_value;
                      }
                    });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr which, void* value) {
  return about_pool(
      call::cudaMemPoolSetAttribute_, handle, [&](device_session&, memory_pool& pool) {
        if (value == nullptr) return result::invalid_value;
        int flag = 0;
        switch (which) {
          case cudaMemPoolReuseFollowEventDependencies:
          case cudaMemPoolReuseAllowOpportunistic:
          case cudaMemPoolReuseAllowInternalDependencies:
            std::memcpy(&flag, value, sizeof flag);
            (which == cudaMemPoolReuseFollowEventDependencies ? pool.follow_events
             : which == cudaMemPoolReuseAllowOpportunistic    ? pool.opportunistic
                                                              : pool.internal_waits) = flag != 0;
            return result::success;
          case cudaMemPoolAttrReleaseThreshold:
            std::memcpy(&pool.release_threshold, value, sizeof(std::uint64_t));
            return result::success;
          case cudaMemPoolAttrReservedMemHigh:
            return reset_mark(pool.reserved_high, pool.reserved(), value);
          case cudaMemPoolAttrUsedMemHigh:
            return reset_mark(pool.used_high, pool.used(), value);
          default:
            return result::invalid_value;
        }
      });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, std::size_t keep) {
  return about_pool(call::cudaMemPoolTrimTo_, handle, [&](device_session&, memory_pool& pool) {
    pool.trim(keep);
    return result::success;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* wanted,
                                 std::size_t count) {
  return about_pool(call::cudaMemPoolSetAccess_, handle,
                    [&](device_session& now, const memory_pool& pool) {
                      if (wanted == nullptr && count > 0) return result::invalid_value;
                      for (std::size_t i = 0; i < count; ++i) {
                        const device* by = device_of(now.all, wanted[i].location.id);
                        if (by == nullptr) return result::invalid_device;
                        const bool taken_away = wanted[i].flags != cudaMemAccessFlagsProtReadWrite;
                        if (by == &pool.owner() && taken_away) return result::invalid_value;
                      }
                      return result::success;
                    });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                 cudaMemLocation* location) {
  return about_pool(call::cudaMemPoolGetAccess_, handle, [&](device_session& now, memory_pool&) {
    if (flags == nullptr || location == nullptr) return result::invalid_value;
    if (device_of(now.all, location->id) == nullptr) return result::invalid_device;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return result::success;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value) {
  return answer(call::cudaDeviceGetGraphMemAttribute_, [&](session& now) {
    const headroom::emulation::device* on = device_of(now.all, device);
    if (on == nullptr) return result::invalid_device;
    const std::uint64_t values[] = {on->graph_used, on->graph_used_high, on->graph_reserved,
                                    on->graph_reserved_high};
    const auto index = static_cast<std::size_t>(which);
    if (value == nullptr || index >= 4) return result::invalid_value;
    std::memcpy(value, &values[index], sizeof values[index]);
    return result::success;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value) {
  return answer(call::cudaDeviceSetGraphMemAttribute_, [&](session& now) {
    headroom::emulation::device* on = device_of(now.all, device);
    if (on == nullptr) return result::invalid_device;
    if (value == nullptr) return result::invalid_value;
    if (which == cudaGraphMemAttrUsedMemHigh) {
      return reset_mark(on->graph_used_high, on->graph_used, value);
    }
    if (which == cudaGraphMemAttrReservedMemHigh) {
      return reset_mark(on->graph_reserved_high, on->graph_reserved, value);
    }
    return result::invalid_value;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return answer(call::cudaDeviceGraphMemTrim_, [&](session& now) {
    headroom::emulation::device* on = device_of(now.all, device);
    if (on == nullptr) return result::invalid_device;
    on->memory.give_back(on->graph_reserved - on->graph_used);
    on->graph_reserved = on->graph_used;
    return result::success;
  });
}
