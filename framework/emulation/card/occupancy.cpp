// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include "occupancy.hpp"

#include <algorithm>

namespace headroom::emulation {
namespace {

constexpr std::uint64_t registers_per_processor = 65536;
constexpr std::uint64_t warp = 32;

std::uint64_t reserved_shared(const device& on) { return on.profile.major >= 8 ? 1024 : 0; }

}  // namespace

int resident_blocks(const device& on, std::uint64_t threads, std::uint64_t shared) {
  if (threads == 0 || threads > 1024) return 0;
  if (shared > on.profile.shared_per_block_optin) return 0;
  const std::uint64_t whole_warps = (threads + warp - 1) / warp * warp;
  std::uint64_t blocks = static_cast<std::uint64_t>(on.profile.blocks_per_processor);
  blocks =
      std::min(blocks, static_cast<std::uint64_t>(on.profile.threads_per_processor) / whole_warps);
  blocks = std::min(blocks, registers_per_processor / (whole_warps * assumed_registers));
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
