// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <unistd.h>

#include <iostream>

#include "run.hpp"

int main(int count, char** arguments) {
  const std::vector<std::string> all(arguments + 1, arguments + count);
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  return headroom::kernels::run_checkpointing_benchmark(all, std::cout, std::cerr, terminal);
}
