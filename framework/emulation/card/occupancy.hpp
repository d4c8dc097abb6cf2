// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "device.hpp"

namespace headroom::emulation {

/// Registers of a thread: kernels' code is not read.
inline constexpr int assumed_registers = 32;
/// Shared memory that a block may have without asking, in bytes.
inline constexpr std::uint64_t shared_by_default = 48 * 1024;

/// How many blocks of that size a processor holds at once, by threads, blocks, registers (as
/// assumed) and shared memory.
/// @param shared  dynamic, in bytes
[[nodiscard]] int resident_blocks(const device& on, std::uint64_t threads, std::uint64_t shared);

/// Dynamic shared memory that each of so many blocks on one processor can have, in bytes.
[[nodiscard]] std::uint64_t shared_for_blocks(const device& on, std::uint64_t blocks);

}  // namespace headroom::emulation
