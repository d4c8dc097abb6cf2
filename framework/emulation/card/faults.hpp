// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>
#include <cstdint>

#include "result.hpp"

namespace headroom::emulation {

/// How many planned faults have not happened yet: one look at it is all that a call costs.
extern std::atomic<int> planned_faults;

/// The call of that name is being made. @return what it must answer instead, or success
[[nodiscard]] result next_fault(const char* call);

}  // namespace headroom::emulation

extern "C" {
/// Plans a fault: the nth call of that name from now on, counted from 1, does nothing and answers
/// `error` (a number of cudaError_t and CUresult). Each plan happens once.
void headroom_emulation_fail_call(const char* call, std::uint64_t nth, int error);
}
