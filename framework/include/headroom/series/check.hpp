// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>

namespace headroom {

/// One comparison of results, for example a step with and without activation checkpointing.
struct check {
  std::string name;
  bool passed = false;
  std::optional<double> difference;  ///< largest difference seen, where one was computed
  std::optional<double> tolerance;   ///< largest difference accepted
  std::string detail;
};

}  // namespace headroom
