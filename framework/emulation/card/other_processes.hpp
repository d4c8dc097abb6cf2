// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

extern "C" {
/// From now on another process has this much of a device's memory, 0 for none: what NVML lists, and
/// what this process finds taken. Makes the cards, as a first call does.
/// @return a number of cudaError_t: no such device, or more than the device has left
int headroom_emulation_other_process(int device, unsigned process, std::uint64_t bytes);
}
