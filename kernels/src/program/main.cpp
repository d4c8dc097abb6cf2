// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// The bundled program `headroom`.

#include <unistd.h>

#include <headroom/cli/run.hpp>
#include <iostream>
#include <string>
#include <vector>

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> all(arguments + 1, arguments + count);
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  return headroom::cli::run(all, {std::cin, std::cout, std::cerr, terminal});
}
