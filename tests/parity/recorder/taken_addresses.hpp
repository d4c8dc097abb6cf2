// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

/// Which segment or address range of this process's holds an address, and where in it.
struct taken_place {
  std::uint64_t ordinal = 0;  ///< in the order of taking
  std::uint64_t offset = 0;
};

/// @param address  handed out by an allocator that takes its memory with cudaMalloc or, of the
///                 driver, cuMemAddressReserve
[[nodiscard]] taken_place locate_taken(const void* address);
