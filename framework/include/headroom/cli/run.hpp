// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <istream>
#include <ostream>
#include <span>
#include <string>

namespace headroom::cli {

/// Where a command reads and writes. Results go to `out`, messages and progress to `err`.
struct console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool terminal = false;  ///< a person watches `err`: long work shows its progress there
};

/// The program `headroom`: runs one command. Reports every fault on the console.
/// @param arguments those behind the program's name
/// @return an exit_code
int run(std::span<const std::string> arguments, const console& io);

}  // namespace headroom::cli
