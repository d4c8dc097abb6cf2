// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <csignal>
#include <headroom/cli/console.hpp>
#include <string>
#include <vector>

namespace headroom::cli {

/// How a process ended.
struct process_end {
  int code = 0;         ///< exit code; -1 when a signal ended it
  int signal = 0;       ///< that ended it, 0 when none did
  std::string message;  ///< what it wrote on standard error, at most 64 KiB
};

/// Runs a command of this program in a process of its own, with nothing on its standard input and
/// its standard output thrown away. @throws error when no process can be started
[[nodiscard]] process_end run_fresh(const console& io, const std::vector<std::string>& arguments);

/// Ends this process as the signal does where nobody handles it: a shell sees what stopped it.
[[noreturn]] void end_by_signal(const console& io, int signal);

/// While it lives, Ctrl-C (and SIGTERM) do not end the program: what runs is ended, what is
/// finished stays, and the owner stops at the next point. One at a time.
class interrupt_guard {
 public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;

  /// The signal that came, 0 when none did.
  [[nodiscard]] static int received();

 private:
  struct sigaction before_interrupt_ {};
  struct sigaction before_terminate_ {};
};

}  // namespace headroom::cli
