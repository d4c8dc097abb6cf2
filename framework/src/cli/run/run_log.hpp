// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/series/program_record.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::cli {

/// Levels of one card over a phase, or over a whole process, from one source.
struct logged_levels {
  int device = 0;
  std::optional<bytes> begin_allocated, begin_reserved;
  std::optional<bytes> allocated, allocated_peak, reserved, reserved_peak;
  std::optional<bytes> requested, requested_peak;
  std::optional<bytes> context, used;  ///< the card's own view alone
  std::optional<std::int64_t> retries, refusals;
};

struct logged_phase {
  std::int64_t process = 0;
  int number = 0;
  int parent = 0;  ///< 0: none
  std::string name;
  std::string by;      ///< "pytorch", "nvtx"
  std::string status;  ///< "ok", "failed", "open" (the process ended in it), "killed" in it
  std::optional<double> seconds;
  std::vector<logged_levels> driver;
  std::vector<logged_levels> framework;
};

/// What a framework in one process says of itself, last.
struct logged_framework {
  std::string name;       ///< "pytorch 2.15.0"
  std::string allocator;  ///< "native"
  std::string settings;   ///< as in PYTORCH_ALLOC_CONF
  std::vector<logged_levels> devices;
  std::vector<program_weights> weights;
  bool at_exit = false;  ///< read once, at the process's end: phases are not known
};

/// A request for memory that was refused for good.
struct logged_refusal {
  std::int64_t process = 0;
  int device = 0;
  bytes requested;
  int phase = 0;  ///< 0: in none
  bool by_framework = false;
};

/// A process has a number anew where it becomes another program (exec), or where the system gives
/// its number to another: a log and a segment know it by its number and how often it came before.
[[nodiscard]] constexpr std::int64_t identity_of(std::int64_t process, std::int64_t before) {
  return process + (before << 32);
}

struct logged_process {
  std::int64_t process = 0;  ///< its identity, as everywhere in a log that was read
  std::int64_t parent = 0;
  std::string command;
  bool ended = false;
  int exit_code = 0;              ///< where it ended
  bool unread_framework = false;  ///< a caching allocator is there, and nobody could read it
  std::optional<logged_framework> framework;
  std::string error;           ///< what ended it, in the framework's own words
  bool out_of_memory = false;  ///< that is what ended it
  std::vector<int> contexts;   ///< cards for which NVML said what the process holds
};

/// The log of one run, read.
struct run_log {
  std::vector<logged_process> processes;
  std::vector<logged_phase> phases;  ///< in the order in which they began, process by process
  std::vector<logged_refusal> refusals;
  std::vector<unmodelled_call> unmodelled;
  std::vector<std::string> gaps;
  std::vector<std::string> faults;  ///< that kept a process from using a card
  std::int64_t kernels_left_out = 0;
  bool meter_proven = false;
  bool emulated = false;  ///< calls were counted over the emulation's libraries

  [[nodiscard]] const logged_process* find(std::int64_t identity) const;
};

/// Reads what was written so far; passes over a last line that is not whole.
[[nodiscard]] run_log read_run_log(std::string_view text);

}  // namespace headroom::cli
