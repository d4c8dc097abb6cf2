// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// How every call of NVML begins and ends. It makes no context, and is not stopped by a device's
// sticky error.
#include <atomic>
#include <cstdio>
#include <string>

#include "../abi/nvml_calls.hpp"
#include "../card/card.hpp"
#include "../library/table.hpp"

namespace headroom::emulation::nvml {

using library::call;
using library::count;

/// How often NVML was started and not ended. Guarded by card_mutex.
extern int starts;

/// @param body  (card&) -> nvmlReturn_t
template <class Body>
nvmlReturn_t answer_always(call which, Body body) {
  count(which);
  if (const result planned = library::planned_fault(which); planned != result::success) {
    return static_cast<nvmlReturn_t>(planned);
  }
  if (this_thread().in_host_code || library::forked_after_use) return NVML_ERROR_UNKNOWN;
  const card_lock lock(card_mutex());
  return body(card::get());
}

/// For calls that need NVML to have been started.
template <class Body>
nvmlReturn_t answer(call which, Body body) {
  return answer_always(
      which, [&](card& all) { return starts == 0 ? NVML_ERROR_UNINITIALIZED : body(all); });
}

/// @param body  (device&) -> nvmlReturn_t
template <class Body>
nvmlReturn_t answer_about(call which, nvmlDevice_t handle, Body body) {
  return answer(which, [&](card& all) {
    for (const auto& each : all.devices) {
      if (each.get() == reinterpret_cast<device*>(handle)) return body(*each);
    }
    return NVML_ERROR_INVALID_ARGUMENT;
  });
}

inline nvmlReturn_t put_text(const std::string& from, char* to, unsigned length) {
  if (to == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (from.size() >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  from.copy(to, from.size());
  to[from.size()] = 0;
  return NVML_SUCCESS;
}

template <class Value>
nvmlReturn_t put(Value* to, Value from) {
  if (to == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *to = from;
  return NVML_SUCCESS;
}

}  // namespace headroom::emulation::nvml
