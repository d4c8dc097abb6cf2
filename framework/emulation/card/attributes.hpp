// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>

#include "device.hpp"

namespace headroom::emulation {

/// The driver that is emulated: CUDA 13.0, which serves programs of CUDA 12 too.
inline constexpr int driver_version = 13000;

/// The highest number of an attribute in CUDA 13.0.
inline constexpr int last_attribute = 147;

/// @param number  as of cudaDeviceAttr and CUdevice_attribute
/// @return 0 for what the card's profile does not know and what no emulated card can do; nothing
/// for
///         a number that is no attribute's
[[nodiscard]] std::optional<int> attribute_of(const device& on, int number);

struct device_identity {
  char uuid[16];  ///< "headroom" and the device's number
  int bus = 0;    ///< of the made-up PCI address 0000:BUS:00.0
};
[[nodiscard]] device_identity identity_of(const device& on);
/// "0000:01:00.0"
[[nodiscard]] std::string bus_text(const device& on);

}  // namespace headroom::emulation
