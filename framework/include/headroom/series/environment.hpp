// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// Where a series ran. Versions that could not be read are absent.
struct environment_record {
  std::string os;
  std::string host_cpu;
  std::string compiler;
  std::vector<std::string> backends;        ///< of this build: "cpu", "plan", "cuda"
  std::optional<std::string> cuda_toolkit;  ///< built with
  std::optional<std::string> cuda_runtime;  ///< loaded
  std::optional<std::string> cuda_driver;   ///< installed
  std::optional<std::string> nvml;          ///< loaded, with the versions of the queries used
  friend bool operator==(const environment_record&, const environment_record&) = default;
};

[[nodiscard]] environment_record capture_environment();

/// Version and source revision of this build of headroom.
struct tool_record {
  std::string version;
  std::optional<std::string> revision;
  friend bool operator==(const tool_record&, const tool_record&) = default;
};
[[nodiscard]] tool_record this_tool();

/// "2026-11-29T16:07:19Z"
[[nodiscard]] std::string utc_now();

}  // namespace headroom
