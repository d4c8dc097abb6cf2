// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <headroom/core/bytes.hpp>
#include <headroom/device/device.hpp>
#include <optional>
#include <string>

namespace headroom {

/// What a meter showed of a known allocation. A meter that sees nothing is a setup error, not a
/// pass.
struct probe_record {
  std::string device;
  bytes requested;  ///< size of the known allocation
  std::optional<bytes> allocated_before;
  std::optional<bytes> allocated_during;
  std::optional<bytes> allocated_after;
  std::optional<bytes> reserved_during;
  std::optional<bytes> emptied;  ///< cached bytes given back after the probe
  bool passed = false;
  std::string detail;  ///< why it did not pass
};

/// Allocates a known size, looks whether the counters show it, gives it back, looks again, and
/// empties the cache so that the first pass starts cold.
[[nodiscard]] probe_record probe_meter(device& on);

}  // namespace headroom
