// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include <atomic>

namespace headroom::caching {

/// A lock for work of some ten nanoseconds. A thread that finds it taken spins for a while, then
/// sleeps: so whoever works goes on working, and many threads on few processors get through as much
/// as one. A process with one thread pays no atomic operation.
class engine_lock {
 public:
  void lock() {
    if (alone()) {
      taken_.store(true, std::memory_order_relaxed);
    } else if (taken_.exchange(true, std::memory_order_acquire)) {
      wait();
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  /// Whether this thread is the process's only one; the C library knows.
  [[nodiscard]] static bool alone() {
#if __has_include(<sys/single_threaded.h>)
    return __libc_single_threaded;
#else
    return false;
#endif
  }
  void wait();
  [[nodiscard]] bool try_lock();
  std::atomic<bool> taken_ = false;
};

}  // namespace headroom::caching
