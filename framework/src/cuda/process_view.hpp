// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>

namespace headroom::cuda {

/// This process as the driver knows it.
struct process_view {
  unsigned pid = 0;
  std::string
      hidden;  ///< why the driver knows it by another number, or not at all; "" when it does
};
[[nodiscard]] process_view this_process();

/// Why the driver knows a process by another number than its own; "" where the numbers are the
/// same.
/// @param pid_namespace target of /proc/self/ns/pid @param kernel text of /proc/version
[[nodiscard]] std::string why_pids_differ(const std::string& pid_namespace,
                                          const std::string& kernel);

}  // namespace headroom::cuda
