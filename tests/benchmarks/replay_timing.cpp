// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// replay_timing ROUNDS TRACE [FROM]  headroom's ns an event, the best of ROUNDS after a first;
// given
//                                    FROM, of the events from this one on; each block has a tag,
//                                    and requested bytes are counted
// replay_timing --walk N FILE        writes a random walk with N live blocks of mixed sizes as a
// trace
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

#include "large_array.hpp"
#include "support/held_trace.hpp"

namespace headroom {
namespace {

/// Within one cache line, so that fetching it early fetches it whole.
struct alignas(32) held_allocation {
  allocation block;
};

void run(const held_trace& trace, std::size_t first, std::size_t last, caching_allocator& allocator,
         ticket_clock& clock, large_array<held_allocation>& held) {
  constexpr std::size_t ahead = 16;
  const std::size_t count = trace.events.size();
  for (std::size_t i = first; i < last; ++i) {
    const trace_event& event = trace.events[i];
    // Handles are fetched early and, as far as the processor can, past the caches, which are the
    // allocator's: what is timed is the allocator. record --time does the same.
    if (i + ahead < count) __builtin_prefetch(&held[trace.events[i + ahead].id], 0, 0);
    switch (event.operation) {
      case trace_operation::allocate:
        try {
          held[event.id].block = allocator.allocate(event.size, event.stream, event.what);
        } catch (const out_of_memory&) {
          held[event.id].block = {};
        }
        break;
      case trace_operation::free:
        allocator.deallocate(held[event.id].block);
        break;
      case trace_operation::use:
        allocator.record_use(held[event.id].block, event.stream);
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

double time(held_trace trace, int rounds, const part_of_trace& timed) {
  for (trace_event& event : trace.events) event.what = all_tags[event.id % tag_count];
  address_segments source(trace.header.capacity, "plan");
  ticket_clock clock;
  caching_allocator allocator(source, clock, trace.header.settings);
  large_array<held_allocation> held(trace.slots);
  double best = 1e300;
  for (int round = 0; round <= rounds; ++round) {
    run(trace, 0, timed.first, allocator, clock, held);
    const auto begin = std::chrono::steady_clock::now();
    run(trace, timed.first, timed.last, allocator, clock, held);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    run(trace, timed.last, trace.events.size(), allocator, clock, held);
    const auto count = static_cast<double>(timed.last - timed.first);
    if (round > 0) best = std::min(best, taken.count() / count);
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
    if (count == 3 || count == 4) {
      const held_trace trace = read_trace(arguments[2]);
      const part_of_trace timed = timed_part(trace, count == 4 ? arguments[3] : nullptr);
      std::printf("%.1f\n", headroom::time(trace, std::atoi(arguments[1]), timed));
      return 0;
    }
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 3;
  }
  std::fprintf(stderr, "usage: replay_timing ROUNDS TRACE [FROM] | --walk LIVE FILE\n");
  return 3;
}
