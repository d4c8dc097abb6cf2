// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "support/random_trace.hpp"

/// Where ours and the reference's figures part.
struct difference {
  std::size_t event = 0;  ///< index of the first event after which they differ
  std::string theirs;
  std::string ours;
};

/// Runs the trace through both allocators, in a process of its own as the reference reads its
/// settings once a process. @return nothing where every figure of every event is equal
[[nodiscard]] std::optional<difference> compare(const live_trace& trace);
