// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "shrink.hpp"

#include <algorithm>
#include <unordered_set>

namespace {

/// Leaves out frees and uses whose allocation is gone.
void mend(live_trace& trace) {
  std::unordered_set<std::uint64_t> live;
  std::erase_if(trace.events, [&](const headroom::trace_event& event) {
    switch (event.operation) {
      case headroom::trace_operation::allocate:
        live.insert(event.id);
        return false;
      case headroom::trace_operation::free:
        return live.erase(event.id) == 0;
      case headroom::trace_operation::use:
        return live.count(event.id) == 0;
      default:
        return false;
    }
  });
}

/// Keeps the smaller trace where it still differs, up to the event at which it does.
bool try_smaller(live_trace& trace, live_trace smaller) {
  mend(smaller);
  const std::optional<difference> found = compare(smaller);
  if (!found) return false;
  if (found->event + 1 < smaller.events.size()) smaller.events.resize(found->event + 1);
  trace = std::move(smaller);
  return true;
}

bool without_events(live_trace& trace, std::size_t begin, std::size_t count) {
  live_trace smaller = trace;
  const auto first = smaller.events.begin() + static_cast<std::ptrdiff_t>(begin);
  smaller.events.erase(first, first + static_cast<std::ptrdiff_t>(count));
  return try_smaller(trace, std::move(smaller));
}

}  // namespace

live_trace shrink(live_trace trace) {
  try_smaller(trace, trace);
  for (std::size_t i = trace.settings.size(); i-- > 0;) {
    live_trace smaller = trace;
    smaller.settings.erase(smaller.settings.begin() + static_cast<std::ptrdiff_t>(i));
    try_smaller(trace, std::move(smaller));
  }
  for (std::size_t count = std::max<std::size_t>(trace.events.size() / 2, 1); count > 0;) {
    bool shrunk = false;
    for (std::size_t begin = 0; begin + count <= trace.events.size();) {
      if (without_events(trace, begin, count)) {
        shrunk = true;
      } else {
        begin += count;
      }
    }
    if (!shrunk || count > 1) count /= 2;
  }
  return trace;
}
