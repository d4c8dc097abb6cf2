// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// record TRACE           what the reference reports after each event: the .expected files' lines
// record --time N TRACE [FROM]  the reference's ns an event, the best of N rounds after a first;
//                               given FROM, of the events from this one on
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

/// Times the events from `first` up to `last`; the ones in front and behind are run too.
void time(const held_trace& trace, int rounds, std::size_t first, std::size_t last) {
  reference theirs(trace.header.capacity, settings_text(trace.header.settings));
  const auto run = [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t ahead = 16;
    for (std::size_t i = begin; i < end; ++i) {
      if (i + ahead < trace.events.size()) theirs.expect(trace.events[i + ahead]);
      theirs.apply(trace.events[i]);
    }
  };
  double best = 1e300;
  for (int round = 0; round <= rounds; ++round) {
    run(0, first);
    const auto begin = std::chrono::steady_clock::now();
    run(first, last);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    run(last, trace.events.size());
    if (round > 0) best = std::min(best, taken.count() / static_cast<double>(last - first));
  }
  std::printf("%.1f\n", best);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if ((count == 4 || count == 5) && std::string_view(arguments[1]) == "--time") {
      const held_trace trace = read_trace(arguments[3]);
      const part_of_trace timed = timed_part(trace, count == 5 ? arguments[4] : nullptr);
      time(trace, std::atoi(arguments[2]), timed.first, timed.last);
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
  std::fprintf(stderr, "usage: record [--time ROUNDS] TRACE [FROM]\n");
  return 3;
}
