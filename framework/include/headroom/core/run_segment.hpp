// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace headroom {

/// A level and its highest value, of several writers.
struct shared_level {
  std::atomic<std::int64_t> now;
  std::atomic<std::int64_t> peak;

  void add(std::int64_t change) noexcept { raise_peak(now.fetch_add(change) + change); }
  void raise_peak(std::int64_t to) noexcept {
    std::int64_t known = peak.load();
    while (known < to && !peak.compare_exchange_weak(known, to)) {
    }
  }
};

/// Memory that `headroom run` shares with the processes that it starts: what each of them holds of
/// each emulated card, and all of them together. It begins as zeros, and outlives each process, so
/// that one that was killed is counted too.
struct run_segment {
  static constexpr std::int64_t known_version = 3;
  static constexpr int most_devices = 64;
  static constexpr int most_processes = 256;  ///< that use a card, in one run

  struct device_levels {
    shared_level taken;      ///< from the card, contexts left out: reserved
    shared_level allocated;  ///< handed out to the program
    std::atomic<std::int64_t> context;
    std::atomic<std::int64_t> refusals;
  };
  struct process_slot {
    std::atomic<std::int64_t> process;  ///< 0: free
    std::atomic<std::int64_t> started;  ///< as in /proc/PID/stat, so that a later one is told apart
    std::atomic<std::int64_t> ended;    ///< its memory went back to the cards
    std::array<device_levels, most_devices> devices;
  };

  std::atomic<std::int64_t> version;
  std::atomic<std::int64_t> lost_lines;  ///< of the log, that a process could not write
  std::array<std::atomic<std::int64_t>, most_devices> used;  ///< contexts included
  std::array<device_levels, most_devices> together;          ///< but contexts
  std::array<shared_level, most_devices> contexts;           ///< of all together
  std::array<process_slot, most_processes> processes;

  /// Takes memory of a card, if all processes together leave so much.
  [[nodiscard]] bool take(int device, std::int64_t size, std::int64_t capacity) noexcept {
    std::atomic<std::int64_t>& level = used[static_cast<std::size_t>(device)];
    std::int64_t before = level.load();
    do {
      if (size > capacity - before) return false;
    } while (!level.compare_exchange_weak(before, before + size));
    return true;
  }

  /// Gives back what processes hold that have ended without doing so. @return whether any had
  bool sweep_ended() noexcept;
  /// A process takes a place: where it was another program before (exec), that one has ended.
  /// @return null where all are taken
  [[nodiscard]] process_slot* claim(std::int64_t process) noexcept;
  /// Gives back what one process holds; once.
  void end(process_slot& slot) noexcept;
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "it is shared between processes");

/// When a process began, in the kernel's own count; 0 when there is no such process, or it has
/// ended and waits to be looked at.
[[nodiscard]] std::int64_t start_of_process(std::int64_t process) noexcept;

}  // namespace headroom
