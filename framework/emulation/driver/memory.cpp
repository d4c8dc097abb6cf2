// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/memory.hpp"

#include "../card/transfer.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::driver;

namespace {

address number(const void* at) { return reinterpret_cast<address>(at); }

CUresult copy_on(call which, CUstream stream, address to, address from, std::size_t size,
                 direction way, bool waits) {
  return answer_on_stream(
      which, stream, [&](context_session& now, headroom::emulation::stream& on) {
        return copy(now.all, now.lock, on, plain_transfer(to, from, size, way), waits);
      });
}

CUresult fill_on(call which, CUstream stream, address at, std::uint64_t value, unsigned element,
                 std::size_t count, bool waits) {
  return answer_on_stream(
      which, stream, [&](context_session& now, headroom::emulation::stream& on) {
        if (at % element != 0) return result::invalid_value;
        return fill(now.all, now.lock, on, {at, value, element, count, 1, 1, count * element, 1},
                    waits);
      });
}

}  // namespace

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return answer_in_context(call::cuMemGetInfo_v2_, [&](context_session& now) {
    if (free == nullptr || total == nullptr) return result::invalid_value;
    *free = now.on.memory.free();
    *total = now.on.memory.capacity();
    return result::success;
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr* at, std::size_t size) {
  return answer_in_context(call::cuMemAlloc_v2_, [&](context_session& now) {
    if (at == nullptr || size == 0) return result::invalid_value;
    address taken = 0;
    const result verdict = take(now.all, now.on, size, taken);
    if (verdict == result::success) *at = taken;
    return verdict;
  });
}

CUresult cuMemFree_v2(CUdeviceptr at) {
  return answer_in_context(call::cuMemFree_v2_,
                           [&](context_session& now) { return give_back(now.all, now.lock, at); });
}

CUresult cuMemHostAlloc(void** at, std::size_t size, unsigned flags) {
  return answer_in_context(call::cuMemHostAlloc_, [&](context_session& now) {
    if (at == nullptr || size == 0) return result::invalid_value;
    address taken = 0;
    const result verdict = take_host(now.all, now.on, size, flags, taken);
    if (verdict == result::success) *at = reinterpret_cast<void*>(taken);
    return verdict;
  });
}

CUresult cuMemFreeHost(void* at) {
  return answer_in_context(call::cuMemFreeHost_, [&](context_session& now) {
    return give_back_host(now.all, now.lock, number(at));
  });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t size) {
  return copy_on(call::cuMemcpy_, nullptr, to, from, size, direction::any, true);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream stream) {
  return copy_on(call::cuMemcpyAsync_, stream, to, from, size, direction::any, false);
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t size) {
  return copy_on(call::cuMemcpyHtoD_v2_, nullptr, to, number(from), size, direction::host_to_device,
                 true);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t size, CUstream stream) {
  return copy_on(call::cuMemcpyHtoDAsync_v2_, stream, to, number(from), size,
                 direction::host_to_device, false);
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t size) {
  return copy_on(call::cuMemcpyDtoH_v2_, nullptr, number(to), from, size, direction::device_to_host,
                 true);
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t size, CUstream stream) {
  return copy_on(call::cuMemcpyDtoHAsync_v2_, stream, number(to), from, size,
                 direction::device_to_host, false);
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t size) {
  return copy_on(call::cuMemcpyDtoD_v2_, nullptr, to, from, size, direction::device_to_device,
                 true);
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream stream) {
  return copy_on(call::cuMemcpyDtoDAsync_v2_, stream, to, from, size, direction::device_to_device,
                 false);
}

CUresult cuMemsetD8_v2(CUdeviceptr at, unsigned char value, std::size_t count) {
  return fill_on(call::cuMemsetD8_v2_, nullptr, at, value, 1, count, true);
}
CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, std::size_t count, CUstream stream) {
  return fill_on(call::cuMemsetD8Async_, stream, at, value, 1, count, false);
}
CUresult cuMemsetD16_v2(CUdeviceptr at, unsigned short value, std::size_t count) {
  return fill_on(call::cuMemsetD16_v2_, nullptr, at, value, 2, count, true);
}
CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, std::size_t count,
                          CUstream stream) {
  return fill_on(call::cuMemsetD16Async_, stream, at, value, 2, count, false);
}
CUresult cuMemsetD32_v2(CUdeviceptr at, unsigned value, std::size_t count) {
  return fill_on(call::cuMemsetD32_v2_, nullptr, at, value, 4, count, true);
}
CUresult cuMemsetD32Async(CUdeviceptr at, unsigned value, std::size_t count, CUstream stream) {
  return fill_on(call::cuMemsetD32Async_, stream, at, value, 4, count, false);
}
