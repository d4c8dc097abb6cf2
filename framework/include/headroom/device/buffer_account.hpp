// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <headroom/core/bytes.hpp>
#include <headroom/core/tag.hpp>

namespace headroom {

/// What the buffers of one device hold. It stays as long as any of them does: one that outlives its
/// device knows from here that there is nothing to give back to. Thread-safe.
class buffer_account {
 public:
  void take(tag what, bytes size) { held(what).fetch_add(size.n, std::memory_order_relaxed); }
  void give_back(tag what, bytes size) { held(what).fetch_sub(size.n, std::memory_order_relaxed); }
  /// Bytes as the allocator counts them.
  [[nodiscard]] tag_table by_tag() const;

  /// The device ends. What is still held is reported on stderr, tag by tag: its memory goes with
  /// the device, and whoever holds it must not use it any more.
  void close() noexcept;
  [[nodiscard]] bool closed() const { return closed_.load(std::memory_order_acquire); }

 private:
  [[nodiscard]] std::atomic<std::int64_t>& held(tag what) {
    return held_[static_cast<std::size_t>(what)];
  }
  std::array<std::atomic<std::int64_t>, tag_count> held_{};
  std::atomic<bool> closed_ = false;
};

}  // namespace headroom
