// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// How a program ended.
struct program_end {
  std::optional<int> code;    ///< absent when a signal ended it
  std::optional<int> signal;  ///< that ended it
  bool timed_out = false;
  int received = 0;  ///< the signal that this process was sent meanwhile, 0 for none
  double seconds = 0;
  std::vector<int> living;  ///< processes that it started and left behind
};

struct program_start {
  std::filesystem::path file;
  std::vector<std::string> command;
  std::vector<std::string> environment;
  std::optional<std::chrono::milliseconds> timeout;
};

/// Runs a program in this process's place: same input, output and terminal. Signals that reach this
/// process alone are passed on. Its descendants are waited for a little longer than itself; past
/// the timeout all of them are ended.
/// @param living  whether any process that it started still matters
/// @throws usage_error when it cannot be started
[[nodiscard]] program_end run_program_to_end(const program_start& what,
                                             const std::function<bool()>& living);

}  // namespace headroom::cli
