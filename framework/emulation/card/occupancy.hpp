// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "device.hpp"

namespace headroom::emulation {

/// Shared memory that a block may have without asking, in bytes.
inline constexpr std::uint64_t shared_by_default = 48 * 1024;

/// How many blocks of that size a processor holds at once, by threads, blocks, registers and shared
/// memory.
/// @param shared     static and dynamic, in bytes
/// @param registers  of a thread
[[nodiscard]] int resident_blocks(const device& on, std::uint64_t threads, std::uint64_t shared,
                                  int registers);
/// Threads of a block that so many registers for each leave room for.
[[nodiscard]] std::uint64_t threads_by_registers(int registers);

/// Dynamic shared memory that each of so many blocks on one processor can have, in bytes.
[[nodiscard]] std::uint64_t shared_for_blocks(const device& on, std::uint64_t blocks);

}  // namespace headroom::emulation
