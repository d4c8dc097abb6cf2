// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "odd_workloads.hpp"

int main(int count, char** arguments) {
  return headroom::cli::run_main(headroom::cli::odd_program(), count, arguments);
}
