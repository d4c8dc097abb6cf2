// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <headroom/device/trace_reader.hpp>

namespace headroom {

/// No plain event has a longer line.
inline constexpr std::size_t longest_plain_event = 96;

/// Reads an event that is written as events are as a rule, in half the time of the trace reader's
/// own way, which knows every exception and has all the messages.
/// @param line at least longest_plain_event bytes
/// @return length of the line with its end; 0 when it is not such an event
[[nodiscard]] std::size_t read_plain_event(const char* line, trace_event& event);

}  // namespace headroom
