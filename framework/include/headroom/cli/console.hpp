// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <istream>
#include <ostream>
#include <string>

namespace headroom::cli {

/// Where a command reads and writes. Results go to `out`, messages and progress to `err`.
struct console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool terminal = false;  ///< a person watches `err`: long work shows its progress there
  /// What is started where a measurement needs a fresh process: this same program.
  std::string executable = "/proc/self/exe";
};

}  // namespace headroom::cli
