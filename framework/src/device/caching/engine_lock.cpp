// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "engine_lock.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace headroom::caching {
namespace {

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

/// Returns with the lock taken. Looking at the lock takes its cache line from whoever works, and
/// handing the work over takes all of them: so it is looked at ever more rarely, and a thread that
/// found it taken for some microseconds sleeps for as long as some hundred pieces of work take.
void engine_lock::wait() {
  constexpr int most_pauses = 128;
  constexpr std::chrono::microseconds longest_rest(1000);
  for (int pauses = 4; pauses <= most_pauses; pauses *= 2) {
    for (int i = 0; i < pauses; ++i) pause();
    if (try_lock()) return;
  }
  std::chrono::microseconds rest(50);
  do {
    std::this_thread::sleep_for(rest);
    rest = std::min(2 * rest, longest_rest);
  } while (!try_lock());
}

bool engine_lock::try_lock() {
  return !taken_.load(std::memory_order_relaxed) &&
         !taken_.exchange(true, std::memory_order_acquire);
}

}  // namespace headroom::caching
