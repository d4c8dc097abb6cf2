// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/cli/console.hpp>
#include <headroom/series/workload_registry.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headroom::cli {

/// What a program is made of: the commands are the same in each, the workloads are its own.
struct program {
  std::string name = "headroom";  ///< as people type it
  workload_registry workloads;
  /// Libraries that the workloads use, with versions, for `environment`: {"BLAS", "OpenBLAS 0.3"}.
  std::vector<std::pair<std::string, std::string>> libraries = {};
};

/// Whether the arguments name a command that runs series, and so the code of workloads.
[[nodiscard]] bool runs_series(std::span<const std::string> arguments);

/// Runs one command. Reports every fault on the console.
/// @param arguments those behind the program's name
/// @return an exit_code
int run(const program& of, std::span<const std::string> arguments, const console& io);

/// What a program's main returns: run() on the process's own arguments and streams.
int run_main(const program& of, int count, const char* const* arguments);

}  // namespace headroom::cli
