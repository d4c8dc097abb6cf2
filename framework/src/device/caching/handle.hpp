// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/tag.hpp>

namespace headroom::caching {

/// What a block's holder keeps for the allocator, in allocation::record: so a block needs no record
/// here. Never null.
struct handle {
  std::uint32_t segment;  ///< below 2^28
  std::uint32_t row;      ///< block_map's hint, not 0
  tag what;

  [[nodiscard]] void* packed() const {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(
        (std::uint64_t{segment} << 36U) | (std::uint64_t{static_cast<unsigned char>(what)} << 32U) |
        row));
  }
  [[nodiscard]] static handle of(const void* record) {
    const std::uint64_t bits = reinterpret_cast<std::uintptr_t>(record);
    return {static_cast<std::uint32_t>(bits >> 36U), static_cast<std::uint32_t>(bits),
            static_cast<tag>((bits >> 32U) & 15U)};
  }
};
static_assert(sizeof(void*) == 8 && tag_count <= 16);

}  // namespace headroom::caching
