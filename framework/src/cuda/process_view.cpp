// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "process_view.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace headroom::cuda {
namespace {

// Linux gives the namespace that a machine starts with this number, for good.
constexpr const char* first_namespace = "pid:[4026531836]";

}  // namespace

std::string why_pids_differ(const std::string& pid_namespace, const std::string& kernel) {
  for (const char* name : {"microsoft", "Microsoft"}) {
    if (kernel.find(name) == std::string::npos) continue;
    return "WSL: the driver runs outside of Linux and does not know its processes";
  }
  if (pid_namespace.empty()) return "the system does not show this process's pid namespace";
  if (pid_namespace == first_namespace) return "";
  return "a container: its processes have other numbers than those that the driver lists; run it "
         "with the host's (docker run --pid=host)";
}

process_view this_process() {
  std::error_code failure;
  const std::string own = std::filesystem::read_symlink("/proc/self/ns/pid", failure).string();
  std::ifstream in("/proc/version");
  std::string kernel;
  std::getline(in, kernel);
  return {static_cast<unsigned>(getpid()), why_pids_differ(failure ? "" : own, kernel)};
}

}  // namespace headroom::cuda
