// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <map>

#include "queue.hpp"

namespace headroom::emulation {

/// A stream-ordered pool of one device's memory. Memory that was given back is used again
///   - on the same stream, at once;
///   - on a stream that was told to wait for an event behind the free (follow_events);
///   - on any stream, once the work before the free is done (opportunistic);
///   - on any stream that then waits for it, when no more memory can be had (internal_waits).
/// What is not used goes back to the device when something synchronizes, down to the release
/// threshold. Segments of 32 MiB, and sizes in units of 512 bytes, are assumed: the driver's are
/// not documented.
class memory_pool {
 public:
  static constexpr std::uint64_t segment_size = std::uint64_t{32} << 20;
  static constexpr std::uint64_t unit = 512;

  /// @param most  bytes that it may reserve, 0 for no limit
  memory_pool(card& all, device& on, std::uint64_t most) : all_(all), on_(on), most_(most) {}

  [[nodiscard]] result take(card_lock& lock, stream& for_stream, std::uint64_t size, address& at);
  /// @param behind  when the memory is free; passed at once for a synchronous free
  void give_back(const block& which, const point& behind);
  /// Gives unused segments back, down to `keep` bytes.
  void trim(std::uint64_t keep);
  void trim_to_threshold() { trim(release_threshold); }
  /// Gives everything back, used or not.
  void clear();

  /// Whether the range lies in memory that it has reserved.
  [[nodiscard]] bool holds(address at, std::uint64_t size) const;

  [[nodiscard]] device& owner() const { return on_; }
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t reserved() const { return reserved_; }

  bool follow_events = true;
  bool opportunistic = true;
  bool internal_waits = true;
  std::uint64_t release_threshold = 0;
  std::uint64_t used_high = 0;      ///< since it was last reset
  std::uint64_t reserved_high = 0;  ///< since it was last reset
  bool destroyed = false;           ///< ends with its last block

 private:
  struct piece {
    std::uint64_t size = 0;
    point behind;  ///< free once it has passed
    address segment = 0;
  };
  using pieces = std::map<address, piece>;

  [[nodiscard]] bool usable(const piece& candidate, const stream& by) const;
  /// The smallest usable piece that is large enough, the lowest among equals.
  pieces::iterator best_fit(const stream& by, std::uint64_t size, bool whatever_waits);
  address cut(pieces::iterator from, std::uint64_t size);
  [[nodiscard]] bool grow(std::uint64_t size);
  void merge(pieces::iterator at);

  card& all_;
  device& on_;
  std::uint64_t most_;
  pieces free_;
  std::map<address, std::uint64_t> segments_;
  std::uint64_t used_ = 0;
  std::uint64_t reserved_ = 0;
};

/// As cudaFreeAsync: for memory of a pool, and for memory of take().
[[nodiscard]] result give_back_in_order(card& all, card_lock& lock, stream& on, address at);

/// The pool of a handle, or null. @param handle  a memory_pool*
[[nodiscard]] memory_pool* pool_of(card& all, const void* handle);
[[nodiscard]] memory_pool* create_pool(card& all, device& on, std::uint64_t most);
/// @return invalid_value for a default pool
[[nodiscard]] result destroy_pool(card& all, memory_pool& which);
/// A destroyed pool ends with its last block, and is gone after this.
void end_if_unused(card& all, memory_pool& which);

/// Whether the range lies in memory that a pool has reserved.
[[nodiscard]] bool pools_hold(const card& all, address at, std::uint64_t size);

/// After a synchronize: what pools do not use goes back.
void trim_pools(card& all, const device& on);

}  // namespace headroom::emulation
