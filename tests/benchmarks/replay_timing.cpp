// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// replay_timing ROUNDS TRACE    headroom's ns an event, the best of ROUNDS after a first; each
// block
//                               has a tag, and requested bytes are counted
// replay_timing --walk N FILE   writes a random walk with N live blocks of mixed sizes as a trace
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <headroom/device/address_segments.hpp>
#include <headroom/device/caching_allocator.hpp>
#include <headroom/device/ticket_clock.hpp>
#include <random>
#include <string_view>
#include <vector>

#include "support/held_trace.hpp"

namespace headroom {
namespace {

void run(const held_trace& trace, caching_allocator& allocator, ticket_clock& clock,
         std::vector<allocation>& held) {
  constexpr std::size_t ahead = 16;
  const std::size_t count = trace.events.size();
  for (std::size_t i = 0; i < count; ++i) {
    const trace_event& event = trace.events[i];
    // Handles are fetched early, so that what is timed is the allocator.
    if (i + ahead < count) __builtin_prefetch(&held[trace.events[i + ahead].id]);
    switch (event.operation) {
      case trace_operation::allocate:
        try {
          held[event.id] = allocator.allocate(event.size, event.stream, event.what);
        } catch (const out_of_memory&) {
          held[event.id] = {};
        }
        break;
      case trace_operation::free:
        allocator.deallocate(held[event.id]);
        break;
      case trace_operation::use:
        allocator.record_use(held[event.id], event.stream);
        break;
      case trace_operation::complete:
        clock.complete(event.stream);
        break;
      case trace_operation::empty_cache:
        allocator.empty_cache();
        break;
      case trace_operation::reset_peaks:
        allocator.reset_peaks();
        break;
    }
  }
}

double time(held_trace trace, int rounds) {
  for (trace_event& event : trace.events) event.what = all_tags[event.id % tag_count];
  address_segments source(trace.header.capacity, "plan");
  ticket_clock clock;
  caching_allocator allocator(source, clock, trace.header.settings);
  std::vector<allocation> held(trace.slots);
  double best = 1e300;
  for (int round = 0; round <= rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    run(trace, allocator, clock, held);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    if (round > 0) best = std::min(best, taken.count() / static_cast<double>(trace.events.size()));
  }
  return best;
}

/// Fills up to `live` blocks, then frees a random one and allocates another, again and again.
/// Each power of two from 512 B to 16 MiB is as likely as another.
void write_walk(std::size_t live, const char* path) {
  std::mt19937_64 random(live);
  std::uniform_real_distribution<> exponent(9, 24);
  std::ofstream out(path);
  out << "headroom-trace 1\ncapacity 1000000000000000\n";
  std::uint64_t next = 0;
  std::vector<std::uint64_t> ids;
  const auto allocate = [&] {
    out << "a " << next << " 0 " << static_cast<std::int64_t>(std::exp2(exponent(random))) << '\n';
    return next++;
  };
  while (ids.size() < live) ids.push_back(allocate());
  for (std::size_t i = 0; i < std::max<std::size_t>(2 * live, 100'000); ++i) {
    std::uint64_t& id = ids[random() % live];
    out << "f " << id << '\n';
    id = allocate();
  }
}

}  // namespace
}  // namespace headroom

int main(int count, char** arguments) {
  try {
    if (count == 4 && std::string_view(arguments[1]) == "--walk") {
      headroom::write_walk(std::strtoull(arguments[2], nullptr, 10), arguments[3]);
      return 0;
    }
    if (count == 3) {
      std::printf("%.1f\n", headroom::time(read_trace(arguments[2]), std::atoi(arguments[1])));
      return 0;
    }
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 3;
  }
  std::fprintf(stderr, "usage: replay_timing ROUNDS TRACE | --walk LIVE FILE\n");
  return 3;
}
