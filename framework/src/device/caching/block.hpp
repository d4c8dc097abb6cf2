// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/core/tag.hpp>

namespace headroom::caching {

struct pool;
struct block;

/// Every block begins and ends at a multiple of this.
inline constexpr bytes unit{512};

/// A range taken from the driver, or set aside there (expandable).
struct segment {
  void* address = nullptr;
  bytes size;
  std::uint64_t ordinal = 0;      ///< in the order of taking
  std::uint64_t first_place = 0;  ///< see block::place
  bytes page;                     ///< memory of an expandable segment comes in these; else zero
  block* first = nullptr;         ///< the lowest block: the same record as long as the segment is
  segment* older = nullptr;       ///< neighbours in the order of taking
  segment* newer = nullptr;

  [[nodiscard]] bool expandable() const { return page.n != 0; }
};

enum class block_state : std::uint8_t {
  live,     ///< handed out
  pending,  ///< freed, another stream still uses it
  free,     ///< cached
  unmapped  ///< addresses of an expandable segment without memory
};

/// A piece of a segment. Fills one cache line.
struct block {
  /// Position on a line, in units of 512 bytes, on which segments lie in the order of their age.
  /// So one number orders blocks by (segment age, offset).
  std::uint64_t place = 0;
  bytes size;
  union {
    std::int64_t requested = 0;  ///< bytes asked for; of a live or pending block
    std::int64_t freed_at;       ///< engine::searches_ when it became free
  };
  block* previous = nullptr;  ///< neighbours within the segment
  block* next = nullptr;
  segment* home = nullptr;
  pool* owner = nullptr;
  std::uint32_t uses = 0;  ///< live: which list of other streams, 0 none; pending: points to pass
  tag what = tag::other;
  block_state state = block_state::free;

  [[nodiscard]] bool split() const { return previous != nullptr || next != nullptr; }
  [[nodiscard]] bytes offset() const {
    return static_cast<std::int64_t>(place - home->first_place) * unit;
  }
  [[nodiscard]] void* address() const { return static_cast<char*>(home->address) + offset().n; }
};
static_assert(sizeof(block) == 64);

}  // namespace headroom::caching
