// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include "queue.hpp"

namespace headroom::emulation {

/// As cudaMemcpyKind.
enum class direction {
  host_to_host = 0,
  host_to_device = 1,
  device_to_host = 2,
  device_to_device = 3,
  any = 4,
};

/// Rows of bytes; a plain copy has one. Planes of rows follow each other.
struct transfer_shape {
  std::uint64_t width = 0;  ///< bytes in a row
  std::uint64_t height = 1, depth = 1;
  std::uint64_t to_pitch = 0, from_pitch = 0;  ///< bytes from row to row
  std::uint64_t to_rows = 1, from_rows = 1;    ///< rows from plane to plane
};

struct transfer {
  address to = 0;
  address from = 0;
  transfer_shape shape;
  direction way = direction::any;
};

/// A copy of `size` bytes in one piece.
[[nodiscard]] transfer plain_transfer(address to, address from, std::uint64_t size, direction way);

/// Queues a copy. Where contents are not kept, reads give zeros and writes are left out.
/// @param waits  the call is the synchronous one. Without it, a copy to or from pageable host
/// memory
///               returns when the host's side is done, as the driver does it
[[nodiscard]] result copy(card& all, card_lock& lock, stream& on, const transfer& what, bool waits);

struct fill_shape {
  address to = 0;
  std::uint64_t value = 0;
  unsigned element = 1;     ///< bytes: 1, 2 or 4
  std::uint64_t width = 0;  ///< elements in a row
  std::uint64_t height = 1, depth = 1;
  std::uint64_t pitch = 0;  ///< bytes from row to row
  std::uint64_t rows = 1;   ///< rows from plane to plane
};

[[nodiscard]] result fill(card& all, card_lock& lock, stream& on, const fill_shape& what,
                          bool waits);

/// What the copy does when its turn comes, for graphs.
[[nodiscard]] result run_transfer(card& all, const transfer& what);
[[nodiscard]] result run_fill(card& all, const fill_shape& what);
/// What work may use of a range of addresses when its turn has come.
struct reach {
  bool valid = false;   ///< memory that the device can use, all of it
  bool backed = false;  ///< contents are kept
};
[[nodiscard]] reach reach_in_turn(card& all, address at, std::uint64_t length);

/// Whether addresses and direction are ones that the runtime takes.
[[nodiscard]] result check(card& all, const transfer& what);
[[nodiscard]] result check(card& all, const fill_shape& what);

}  // namespace headroom::emulation
