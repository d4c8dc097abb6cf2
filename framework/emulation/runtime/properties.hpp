// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "../abi/device_properties.hpp"
#include "../card/device.hpp"

namespace headroom::emulation::runtime {

/// Everything that a device tells of itself. What no profile knows (clocks, texture sizes) is 0.
void fill_properties(cudaDeviceProp& into, const device& on);

}  // namespace headroom::emulation::runtime
