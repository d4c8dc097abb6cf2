// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// record TRACE           what the reference reports after each event: the .expected files' lines
// record --time N TRACE  the reference's ns an event, the best of N rounds after a first
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "reference.hpp"
#include "support/held_trace.hpp"

namespace {

void record(const held_trace& trace, std::size_t events) {
  reference theirs(trace.header.capacity, settings_text(trace.header.settings));
  std::puts(
      "# event op allocated allocated_peak reserved reserved_peak requested requested_peak active "
      "segments retries ooms place");
  for (std::size_t i = 0; i < events; ++i) {
    const bool granted = theirs.apply(trace.events[i]);
    std::puts(theirs.line(i, trace.events[i], granted).c_str());
  }
}

void time(const held_trace& trace, int rounds) {
  reference theirs(trace.header.capacity, settings_text(trace.header.settings));
  double best = 1e300;
  for (int round = 0; round <= rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (const headroom::trace_event& event : trace.events) theirs.apply(event);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    if (round > 0) best = std::min(best, taken.count() / static_cast<double>(trace.events.size()));
  }
  std::printf("%.1f\n", best);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count == 4 && std::string_view(arguments[1]) == "--time") {
      time(read_trace(arguments[3]), std::atoi(arguments[2]));
      return 0;
    }
    if (count == 2) {
      const held_trace trace = read_trace(arguments[1]);
      record(trace, trace.recorded);
      return 0;
    }
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 3;
  }
  std::fprintf(stderr, "usage: record [--time ROUNDS] TRACE\n");
  return 3;
}
