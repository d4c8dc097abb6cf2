// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

// What every stand-in library has: a table of the calls that it models, with a count for each, and
// the names that it exports and does not model. HEADROOM_CALL_TABLE names the table's file, with
// rows HEADROOM_CALL(name, family, "what it does").
#include <atomic>
#include <cstdint>

#include "../card/calls.hpp"
#include "../card/faults.hpp"
#include "../card/thread_state.hpp"

namespace headroom::emulation::library {

enum class call : unsigned {
#define HEADROOM_CALL(name, family, what) name##_,
#include HEADROOM_CALL_TABLE
  count_
};

extern std::atomic<std::uint64_t> call_counts[static_cast<unsigned>(call::count_)];

inline void count(call which) {
  call_counts[static_cast<unsigned>(which)].fetch_add(1, std::memory_order_relaxed);
}

[[nodiscard]] const call_table& this_library();

/// Set when this is the child of a process that used the card before it forked.
extern std::atomic<bool> forked_after_use;

/// @return the fault that was planned for the call, with a number of the library's own, or success
inline result planned_fault(call which) {
  if (planned_faults.load(std::memory_order_relaxed) == 0) return result::success;
  return next_fault(this_library().modelled[static_cast<unsigned>(which)]);
}

/// @return why the thread may not make the call now, or success
inline result refusal(const thread_state& me, call which) {
  if (const result planned = planned_fault(which); planned != result::success) return planned;
  if (me.in_host_code) return result::not_permitted;
  if (forked_after_use.load(std::memory_order_relaxed)) return result::initialization_error;
  return result::success;
}

}  // namespace headroom::emulation::library
