// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <headroom/series/environment.hpp>
#include <headroom/series/open_device.hpp>

#include "revision.hpp"
#ifdef HEADROOM_WITH_CUDA
#include <headroom/cuda/cuda_device.hpp>
#endif

namespace headroom {
namespace {

std::string value_after_colon(const std::string& line) {
  const std::size_t colon = line.find(':');
  const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
  return begin == std::string::npos ? "" : line.substr(begin);
}

std::string read_os() {
  std::string name = "unknown";
  std::ifstream release("/etc/os-release");
  for (std::string line; std::getline(release, line);) {
    if (line.rfind("PRETTY_NAME=", 0) != 0) continue;
    name = line.substr(line.find('=') + 1);
    if (name.size() >= 2 && name.front() == '"') name = name.substr(1, name.size() - 2);
  }
  utsname kernel{};
  if (uname(&kernel) == 0) {
    name += std::string(", ") + kernel.sysname + " " + kernel.release + " " + kernel.machine;
  }
  return name;
}

std::string read_host_cpu() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return value_after_colon(line);
  }
  return "unknown";
}

}  // namespace

environment_record capture_environment() {
  environment_record result;
  result.os = read_os();
  result.host_cpu = read_host_cpu();
#if defined(__clang__)
  result.compiler = "Clang " __clang_version__;
#else
  result.compiler = "GCC " __VERSION__;
#endif
  result.backends = built_backends();
#ifdef HEADROOM_WITH_CUDA
  const cuda::versions found = cuda::read_versions();
  result.cuda_toolkit = found.toolkit;
  result.cuda_runtime = found.runtime;
  result.cuda_driver = found.driver;
  result.nvml = found.nvml;
#endif
  return result;
}

tool_record this_tool() {
  tool_record tool{HEADROOM_VERSION, std::nullopt};
  if (*revision != '\0') tool.revision = revision;
  return tool;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2026-11-29T16:07:19Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace headroom
