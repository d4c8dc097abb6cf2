// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "live_run.hpp"
#include "support/random_trace.hpp"

/// The fewest events and settings at which both still differ, as far as leaving out one after the
/// other finds them. @param trace differs
[[nodiscard]] live_trace shrink(live_trace trace);
