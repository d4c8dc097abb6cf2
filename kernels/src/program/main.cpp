// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT
// The bundled program `headroom`. What runs series is a program of its own, headroom-workloads,
// which this one becomes: the others then start without loading the GPU's matrix library.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <headroom/cli/exit_code.hpp>
#include <headroom/cli/program.hpp>
#include <headroom/core/error.hpp>
#include <headroom_kernels/blas.hpp>
#include <headroom_kernels/workloads.hpp>

namespace {

namespace cli = headroom::cli;

int become_workloads_program(char** arguments) {
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* const place : {"headroom-workloads", HEADROOM_LIBEXEC "/headroom-workloads"}) {
    ::execv((folder / place).c_str(), arguments);
  }
  fmt::print(stderr,
             "headroom: the part that runs workloads, headroom-workloads, is not beside {}; "
             "install the whole package\n",
             folder.string());
  return static_cast<int>(cli::exit_code::no_device);
}

}  // namespace

int main(int count, char** arguments) {
  if (cli::runs_series(
          std::vector<std::string>(arguments + std::min(count, 1), arguments + count))) {
    return become_workloads_program(arguments);
  }
  cli::program bundled;
  for (headroom::workload_entry& each : headroom::kernels::describe_bundled_workloads()) {
    each.make = [](const headroom::workload_description&) -> std::unique_ptr<headroom::workload> {
      throw headroom::usage_error("this program names workloads and runs none");
    };
    bundled.workloads.add(std::move(each));
  }
  bundled.libraries = {{"BLAS", headroom::kernels::host_blas_name()}};
  return cli::run_main(bundled, count, arguments);
}
