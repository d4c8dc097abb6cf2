// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "engine_lock.hpp"

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

/// Returns with the lock taken.
void engine_lock::wait() {
  constexpr int spins = 100;
  constexpr int yields = 20;
  for (int turn = 0;; ++turn) {
    for (int i = 0; i < spins && taken_.load(std::memory_order_relaxed); ++i) pause();
    if (!taken_.exchange(true, std::memory_order_acquire)) return;
    if (turn < yields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
}

}  // namespace headroom::caching
