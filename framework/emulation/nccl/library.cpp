// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "../card/memory.hpp"
#include "answer.hpp"

using namespace headroom::emulation;
using namespace headroom::emulation::nccl;

namespace {

constexpr int version = 23007;
constexpr const char* texts[] = {"no error",
                                 "unhandled cuda error",
                                 "unhandled system error",
                                 "internal error",
                                 "invalid argument",
                                 "invalid usage",
                                 "remote process exited or there was a network error",
                                 "operation in progress",
                                 "timeout"};

}  // namespace

ncclResult_t ncclGetVersion(int* into) {
  count(call::ncclGetVersion_);
  if (const result planned = library::planned_fault(call::ncclGetVersion_);
      planned != result::success) {
    return static_cast<ncclResult_t>(planned);
  }
  if (into == nullptr) return ncclInvalidArgument;
  *into = version;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t which) {
  count(call::ncclGetErrorString_);
  const auto number = static_cast<unsigned>(which);
  return number < std::size(texts) ? texts[number] : "unknown";
}

const char* ncclGetLastError(ncclComm_t) {
  count(call::ncclGetLastError_);
  const card_lock lock(card_mutex());
  return last_failure();
}

ncclResult_t ncclMemAlloc(void** at, std::size_t size) {
  return answer(call::ncclMemAlloc_, [&](session& now) {
    device* const on = current_device(now.all, now.me);
    address taken = 0;
    if (at == nullptr) return fail(ncclInvalidArgument, "a pointer is null");
    if (on == nullptr ||
        take(now.all, *on, round_up(size, granularity), taken) != result::success) {
      return fail(ncclUnhandledCudaError, "out of memory");
    }
    *at = reinterpret_cast<void*>(taken);
    return ncclSuccess;
  });
}

ncclResult_t ncclMemFree(void* at) {
  return answer(call::ncclMemFree_, [&](session& now) {
    const auto given = reinterpret_cast<address>(at);
    if (given == 0 || give_back(now.all, now.lock, given) == result::success) return ncclSuccess;
    return fail(ncclInvalidArgument, "not memory of ncclMemAlloc");
  });
}

// Buffers are used where they are: registering changes nothing.
ncclResult_t ncclCommRegister(ncclComm_t of, void* buffer, std::size_t, void** handle) {
  return answer_about(call::ncclCommRegister_, of, [&](session&, const auto&) {
    if (handle == nullptr) return fail(ncclInvalidArgument, "a pointer is null");
    *handle = buffer;
    return ncclSuccess;
  });
}
ncclResult_t ncclCommDeregister(ncclComm_t of, void*) {
  return answer_about(call::ncclCommDeregister_, of,
                      [](session&, const auto&) { return ncclSuccess; });
}
