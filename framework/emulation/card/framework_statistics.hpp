// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::emulation {

/// What PyTorch's allocator counts on a device, in bytes.
struct allocator_levels {
  int device = 0;  ///< index in this process
  std::int64_t allocated = 0, allocated_peak = 0, reserved = 0, reserved_peak = 0;
};
struct framework_statistics {
  std::string allocator;  ///< "native" or "cudaMallocAsync"
  std::vector<allocator_levels> devices;
};

/// Of PyTorch's library in this process, for programs without Python. Its interface is virtual and
/// differs with releases: the function is found by its name in the library's file, and is called
/// only where the allocator in use has it. Not after the library's destructors.
/// @return nothing where there is no such library, allocator or name
[[nodiscard]] std::optional<framework_statistics> read_framework_statistics(int devices);

}  // namespace headroom::emulation
