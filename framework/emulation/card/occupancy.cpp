// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "occupancy.hpp"

#include <algorithm>

namespace headroom::emulation {
namespace {

constexpr std::uint64_t registers_per_processor = 65536;
constexpr std::uint64_t warp = 32;

// A processor has four parts, each with its registers, which a warp gets in units of 256.
constexpr std::uint64_t warps_at_once = 4;

std::uint64_t registers_of_warp(int registers) {
  const std::uint64_t wanted = static_cast<std::uint64_t>(std::max(registers, 1)) * warp;
  return (wanted + 255) / 256 * 256;
}

std::uint64_t reserved_shared(const device& on) { return on.profile.major >= 8 ? 1024 : 0; }

}  // namespace

std::uint64_t threads_by_registers(int registers) {
  const std::uint64_t warps = registers_per_processor / registers_of_warp(registers);
  return std::min(std::uint64_t{1024}, warps / warps_at_once * warps_at_once * warp);
}

int resident_blocks(const device& on, std::uint64_t threads, std::uint64_t shared, int registers) {
  if (threads == 0 || threads > 1024) return 0;
  if (shared > on.profile.shared_per_block_optin) return 0;
  const std::uint64_t whole_warps = (threads + warp - 1) / warp * warp;
  std::uint64_t blocks = static_cast<std::uint64_t>(on.profile.blocks_per_processor);
  blocks =
      std::min(blocks, static_cast<std::uint64_t>(on.profile.threads_per_processor) / whole_warps);
  const std::uint64_t warps = registers_per_processor / registers_of_warp(registers);
  blocks = std::min(blocks, warps / warps_at_once * warps_at_once / (whole_warps / warp));
  const std::uint64_t each = shared + reserved_shared(on);
  if (each > 0) blocks = std::min(blocks, on.profile.shared_per_processor / each);
  return static_cast<int>(blocks);
}

std::uint64_t shared_for_blocks(const device& on, std::uint64_t blocks) {
  const std::uint64_t share = on.profile.shared_per_processor / blocks;
  const std::uint64_t kept = reserved_shared(on);
  return std::min(share > kept ? share - kept : 0, on.profile.shared_per_block_optin);
}

}  // namespace headroom::emulation
