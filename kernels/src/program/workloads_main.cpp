// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// The part of the bundled program that runs series: all of its commands, with the workloads' code.

#include <headroom/cli/program.hpp>
#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/workloads.hpp>

int main(int count, char** arguments) {
  headroom::cli::program bundled;
  bundled.workloads = headroom::kernels::bundled_workloads();
  bundled.libraries = {{"BLAS", headroom::kernels::host_blas_name()}};
  return headroom::cli::run_main(bundled, count, arguments);
}
